/** The limits of a tenant, in the order in which they are shown. */
export const QUOTAS = ['zones', 'zone_records', 'zone_recordsets', 'recordset_records', 'api_export_size'] as const;
export type QuotaName = (typeof QUOTAS)[number];
