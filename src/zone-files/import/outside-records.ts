import type { MasterFileError, MasterFileRecord } from '../../dns/master-file/master-file.js';
import { type DomainName, quoted } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { DroppedRecord } from './signing-records.js';

type Item = MasterFileRecord | MasterFileError | DroppedRecord;

/**
 * Refuses a zone file whose names all lie outside of the zone: it is of another zone, and a replacement by it would empty this
 * one. A repaired SOA does not count as a name of the zone.
 */
export class OutsideRecords {
  private first: DroppedRecord | null = null;
  private isSoaRepaired = false;
  private hasOthers = false;

  constructor(private readonly zone: DomainName) {}

  /** The same items. */
  *watch(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if ('repair' in item) this.note(item);
      else if ('message' in item || !this.isSoaRepaired || item.type.name !== SOA.name) this.hasOthers = true;
      yield item;
    }
  }

  /** The error for the file that has been watched. */
  verdict(): MasterFileError[] {
    if (this.first === null || this.hasOthers) return [];
    const { line, column, repair } = this.first;
    const message =
      `${quoted(repair.text)} lies outside the zone ${this.zone.toString()}, as all names of the file do: ` +
      'import it into its own domain, or correct the names';
    return [{ line, column, message }];
  }

  private note(dropped: DroppedRecord): void {
    if (dropped.repair.kind === 'outside_zone') this.first ??= dropped;
    else this.isSoaRepaired ||= dropped.repair.kind === 'soa_owner';
  }
}
