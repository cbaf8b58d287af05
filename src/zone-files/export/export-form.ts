import {
  writeDefaultTtl,
  writeDirectives,
  writeRecordSet,
  writeSpacedRecordSet,
  type RecordSet,
} from '../../dns/master-file/master-file-writer.js';
import { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { OmittedSet } from '../../records/served/served-zone.js';
import type { ZoneFile } from '../zone-file.js';

/** Layout of an export. All forms have the same content. */
export interface ExportForm {
  /** Part of the cache key. */
  readonly name: string;
  head(zone: ZoneEntity): string;
  recordSet(set: RecordSet, zone: ZoneEntity): string;
}

/** Each record has its TTL, so that each part of the file stands alone. */
export const COMPLETE: ExportForm = {
  name: 'complete',
  head: ({ name, serial }) => `; ${name} serial ${serial}\n`,
  recordSet: writeRecordSet,
};

/**
 * The layout of Designate: its readers expect `$ORIGIN` and `$TTL` in the first two lines. A second `$TTL` after the
 * SOA tells an import that the SOA has a TTL of its own (behaviour 13.5).
 */
export const WITH_DIRECTIVES: ExportForm = {
  name: 'with directives',
  head: ({ name, ttl }) => writeDirectives(DomainName.parse(name), ttl),
  recordSet: (set, { ttl, soaTtl }) => {
    const lines = writeSpacedRecordSet(set, ttl);
    return soaTtl !== null && set.type.name === SOA.name ? lines + writeDefaultTtl(ttl) : lines;
  },
};

const MARK = '; left out: ';

export function writeOmission({ unreadable }: OmittedSet): string {
  return unreadable.map(({ id, owner, type }) => `${MARK}${owner} ${type} record ${id}\n`).join('');
}

export class OmissionSearch {
  private found = false;
  /** The end of the text read before: a mark may start in it. */
  private end = Buffer.from('\n');

  get hasFound(): boolean {
    return this.found;
  }

  watch(file: ZoneFile): ZoneFile {
    const look = (octets: Uint8Array): void => this.look(octets);
    return {
      ...file,
      async *octets() {
        for await (const octets of file.octets()) {
          look(octets);
          yield octets;
        }
      },
    };
  }

  private look(octets: Uint8Array): void {
    if (this.found) return;
    const text = Buffer.concat([this.end, octets]);
    this.found = text.includes(`\n${MARK}`);
    this.end = Buffer.from(text.subarray(-MARK.length));
  }
}
