import type { MasterFileItem } from '../generated-records.js';
import type { MasterFileRecord, MasterFileSignature } from '../../dns/master-file/master-file.js';
import { type DomainName, displayName } from '../../dns/name.js';
import { keysOnPath } from '../../dns/name-key.js';
import { DNAME } from '../../dns/rdata/dname.js';
import { NS } from '../../dns/rdata/ns.js';
import type { ZoneFile } from '../zone-file.js';
import type { Repair } from './import-repairs.js';
import type { DroppedRecord } from './signing-records.js';

type FoundItem = MasterFileItem | MasterFileSignature;

/** The names of more DNAMEs are not remembered: what lies below the others is an error. */
const MAX_NAMES = 10_000;

/**
 * Leaves out the records of a zone file that name servers load and never answer with (RFC 6672 §2.4): those below a DNAME of the
 * file, and a DNAME beside NS, where the delegation wins. The hidden records may stand before the record that hides them, so
 * the file is read for `note` first.
 */
export class HiddenRecords {
  /** By the key of the owner name of a DNAME: whether it has NS too. */
  private readonly isDelegated = new Map<string, boolean>();

  constructor(private readonly apex: DomainName) {}

  get areAny(): boolean {
    return this.isDelegated.size > 0;
  }

  recordDname(item: FoundItem): void {
    if (isOfType(item, DNAME.name) && this.isDelegated.size < MAX_NAMES) this.isDelegated.set(item.owner.key, false);
  }

  /** Takes the same items once more, when all DNAMEs are known. */
  recordDelegation(item: FoundItem): void {
    if (!isOfType(item, NS.name)) return;
    const { key } = item.owner;
    if (this.isDelegated.has(key) && key !== this.apex.key) this.isDelegated.set(key, true);
  }

  /** The record, or its repair. */
  judged(record: MasterFileRecord): MasterFileRecord | DroppedRecord {
    const { key } = record.owner;
    const { line, column } = record;
    const dropped = (kind: Repair['kind']) => ({ line, column, repair: { kind, text: displayName(record.owner) } });
    if (!this.areAny) return record;
    if (record.type.name === DNAME.name && this.isDelegated.get(key) === true) return dropped('delegated_dname');
    const isHidden = keysOnPath(this.apex.key, key).some(
      (above) => above !== key && this.isDelegated.get(above) === false,
    );
    return isHidden ? dropped('below_dname') : record;
  }
}

function isOfType(item: FoundItem, type: string): item is MasterFileRecord {
  return 'rdata' in item && item.type.name === type;
}

const MENTION = /DNAME|TYPE39/i;
const LONGEST_MENTION = 6;

/** Whether the file may have a DNAME: looking for the word takes little of the time that reading the records takes. */
export async function mentionsDname(file: ZoneFile): Promise<boolean> {
  let end = '';
  for await (const octets of file.octets()) {
    const text = end + Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1');
    if (MENTION.test(text)) return true;
    end = text.slice(-LONGEST_MENTION);
  }
  return false;
}
