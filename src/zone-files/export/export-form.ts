import {
  writeDefaultTtl,
  writeDirectives,
  writeRecordSet,
  writeSpacedRecordSet,
} from '../../dns/master-file/master-file-writer.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/soa.js';
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

/**
 * As the original writes it, whose readers look for `$ORIGIN` and `$TTL` in the first two lines. A second `$TTL` behind the SOA
 * tells an import that the zone does not have the TTL of the SOA (behaviour 13.5).
 */
export const WITH_DIRECTIVES: ExportForm = {
  name: 'with directives',
  head: ({ name, ttl }) => writeDirectives(DomainName.parse(name), ttl),
  recordSet: (set, { ttl, soaTtl }) => {
    const lines = writeSpacedRecordSet(set, ttl);
    return soaTtl !== null && set.type.name === SOA.name ? lines + writeDefaultTtl(ttl) : lines;
  },
};
