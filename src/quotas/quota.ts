/** As a limit: any number is allowed. Only version 2 sets it. */
export const UNLIMITED = -1;

/** The five limits of a tenant (interface §2.3). A limit of n allows n (behaviour 8.3), and `UNLIMITED` whatever there is. */
export interface Quota {
  readonly zones: number;
  readonly zoneRecordsets: number;
  readonly zoneRecords: number;
  readonly recordsetRecords: number;
  readonly apiExportSize: number;
}

/** Limits that are set or stored. The defaults hold for those that are null or undefined. */
export type QuotaChange = Readonly<Partial<Record<keyof Quota, number | null | undefined>>>;

/** Replaces limits that are not set by those of `fallback`. */
export function fillQuota(values: QuotaChange | null, fallback: Quota): Quota {
  return {
    zones: values?.zones ?? fallback.zones,
    zoneRecordsets: values?.zoneRecordsets ?? fallback.zoneRecordsets,
    zoneRecords: values?.zoneRecords ?? fallback.zoneRecords,
    recordsetRecords: values?.recordsetRecords ?? fallback.recordsetRecords,
    apiExportSize: values?.apiExportSize ?? fallback.apiExportSize,
  };
}

export function isWithin(limit: number, count: number): boolean {
  return limit === UNLIMITED || count <= limit;
}
