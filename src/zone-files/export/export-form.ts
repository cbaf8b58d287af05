import { writeDirectives, writeRecordSet, writeSpacedRecordSet } from '../../dns/master-file/master-file-writer.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import { DomainName } from '../../dns/name.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** How the lines of an export look. All forms say the same. */
export interface ExportForm {
  /** Tells it from the others. */
  readonly name: string;
  head(zone: ZoneEntity): string;
  recordSet(set: RecordSet, zone: ZoneEntity): string;
}

/** Every record has its TTL, so that any part of the file can be read alone. */
export const COMPLETE: ExportForm = {
  name: 'complete',
  head: ({ name, serial }) => `; ${name} serial ${serial}\n`,
  recordSet: writeRecordSet,
};

/** As the original writes it, whose readers look for `$ORIGIN` and `$TTL` in the first two lines. */
export const WITH_DIRECTIVES: ExportForm = {
  name: 'with directives',
  head: ({ name, ttl }) => writeDirectives(DomainName.parse(name), ttl),
  recordSet: (set, { ttl }) => writeSpacedRecordSet(set, ttl),
};
