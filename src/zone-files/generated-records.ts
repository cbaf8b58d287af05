import { ServiceError } from '../common/service-error.js';
import type { MasterFileError, MasterFileRecord, MasterFileRepair } from '../dns/master-file/master-file.js';

export type MasterFileItem = MasterFileRecord | MasterFileRepair | MasterFileError;

/** What all `$GENERATE` of a file may make together; `null` for no bound. */
export interface GenerateBounds {
  readonly records: number | null;
  readonly octets: number | null;
}

export const NO_BOUNDS: GenerateBounds = { records: null, octets: null };

/** What a line has besides owner name and data: TTL, class, type and blanks, in octets. */
const REST_OF_LINE = 16;

/** Counts what `$GENERATE` makes as if it stood in the file, while it is made. */
export class GeneratedRecords {
  private records = 0;
  private octets = 0;

  constructor(private readonly bounds: GenerateBounds) {}

  /** @throws ServiceError `over_quota`, `file_too_large` while it is iterated, once there are more than the bounds allow */
  *bounded(items: Iterable<MasterFileItem>): Generator<MasterFileItem> {
    for (const item of items) {
      if ('owner' in item) this.count(item);
      yield item;
    }
  }

  private count({ owner, rdata }: MasterFileRecord): void {
    const { records, octets } = this.bounds;
    this.records += 1;
    this.octets += owner.wire.length + rdata.length + REST_OF_LINE;
    if (records !== null && this.records > records)
      throw new ServiceError(
        'over_quota',
        `The quota zone_records is ${records} and $GENERATE would make more; write a smaller range or ask an admin for more.`,
      );
    if (octets !== null && this.octets > octets)
      throw new ServiceError(
        'file_too_large',
        `$GENERATE would make more than the ${octets} octets that a zone file may have; write a smaller range.`,
      );
  }
}
