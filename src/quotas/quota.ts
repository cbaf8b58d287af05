/** The limits of a tenant, all five (interface §2.3). A limit of n allows n. */
export interface Quota {
  readonly zones: number;
  readonly zoneRecordsets: number;
  readonly zoneRecords: number;
  readonly recordsetRecords: number;
  readonly apiExportSize: number;
}

/** What is set or stored of a quota; the default holds for the rest. */
export type QuotaChange = Readonly<Partial<Record<keyof Quota, number | null | undefined>>>;

/** `values` where they are set, `fallback` elsewhere. */
export function fillQuota(values: QuotaChange | null, fallback: Quota): Quota {
  return {
    zones: values?.zones ?? fallback.zones,
    zoneRecordsets: values?.zoneRecordsets ?? fallback.zoneRecordsets,
    zoneRecords: values?.zoneRecords ?? fallback.zoneRecords,
    recordsetRecords: values?.recordsetRecords ?? fallback.recordsetRecords,
    apiExportSize: values?.apiExportSize ?? fallback.apiExportSize,
  };
}
