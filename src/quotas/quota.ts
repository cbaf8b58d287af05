/** A limit without bound. Only version 2 sets it. */
export const UNLIMITED = -1;

/** Interface §2.3. A limit of n allows n (behaviour 8.3). */
export interface Quota {
  readonly zones: number;
  readonly zoneRecordsets: number;
  readonly zoneRecords: number;
  readonly recordsetRecords: number;
  readonly apiExportSize: number;
}

/** Defaults replace null and undefined. */
export type QuotaChange = Readonly<Partial<Record<keyof Quota, number | null | undefined>>>;

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
