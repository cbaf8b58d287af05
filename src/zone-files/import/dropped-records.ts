import type {
  MasterFileError,
  MasterFileRecord,
  MasterFileRepair,
  MasterFileSignature,
} from '../../dns/master-file/master-file.js';
import { type DomainName, displayName, quoted } from '../../dns/name.js';
import { CDNSKEY, CDS } from '../../dns/rdata/dnssec.js';
import { droppedSignature, type Repair } from './import-repairs.js';
import { keysOnPath } from '../../dns/name-key.js';
import { DNAME, NS } from '../../dns/rdata/name-types.js';
import type { ZoneFile } from '../zone-file.js';
import { SOA } from '../../dns/rdata/soa.js';

export type MasterFileItem = MasterFileRecord | MasterFileRepair | MasterFileError;

export interface DroppedRecord {
  readonly line: number;
  readonly column: number;
  readonly repair: Repair;
}

/** Types that only signing creates. */
const SIGNING: ReadonlySet<number> = new Set([46, 47, 48, 50, 51]);
/** RFC 8976 §2: a digest of the zone. The first change invalidates it. */
const ZONEMD = 63;
const AT_APEX: ReadonlySet<number> = new Set([CDS.code, CDNSKEY.code, ZONEMD]);

/** Maximum of held records. A file with more at its apex has another reason for them. */
const MOST_HELD = 1000;

/**
 * Drops records that signing created. CDS, CDNSKEY and ZONEMD at the apex are dropped if the zone is signed (RFC 7344
 * §4). A later record may show that, so they are held until then, or until the file ends.
 */
export class SigningRecords {
  private isSigned = false;
  private held: MasterFileRecord[] = [];

  constructor(private readonly apex: DomainName) {}

  /** Takes a record of a type that the service rejects. Returns its repair, and the released records. */
  signature({ type, line, column }: MasterFileSignature): (MasterFileRecord | DroppedRecord)[] {
    // A ZONEMD does not show that the zone is signed.
    this.isSigned ||= type !== 'ZONEMD';
    return [...(this.isSigned ? this.release() : []), { line, column, repair: droppedSignature(type) }];
  }

  /** Takes another record. Returns the records that are no longer held. */
  record(record: MasterFileRecord): (MasterFileRecord | DroppedRecord)[] {
    const { owner, type, line, column } = record;
    if (SIGNING.has(type.code)) return this.signature({ type: type.name, line, column });
    if (!AT_APEX.has(type.code) || !owner.equals(this.apex)) return [record];
    this.held.push(record);
    return this.isSigned || this.held.length > MOST_HELD ? this.release() : [];
  }

  release(): (MasterFileRecord | DroppedRecord)[] {
    const { held, isSigned } = this;
    if (held.length === 0) return [];
    this.held = [];
    if (!isSigned) return held;
    return held.map(({ type, line, column }) => ({ line, column, repair: droppedSignature(type.name) }));
  }
}

export type FoundItem = MasterFileItem | MasterFileSignature;

/** Maximum of remembered DNAMEs. Records below others are errors. */
const MAX_NAMES = 10_000;

/**
 * Drops records that name servers never serve (RFC 6672 §2.4): below a DNAME, or a DNAME with NS at its name. They may
 * precede the DNAME, so an earlier reading collects the DNAMEs.
 */
export class HiddenRecords {
  /** By owner name key: the DNAME has NS at its name. */
  private readonly isDelegated = new Map<string, boolean>();

  constructor(private readonly apex: DomainName) {}

  get areAny(): boolean {
    return this.isDelegated.size > 0;
  }

  recordDname(item: FoundItem): void {
    if (isOfType(item, DNAME.name) && this.isDelegated.size < MAX_NAMES) this.isDelegated.set(item.owner.key, false);
  }

  /** Takes all items again, once all DNAMEs are known. */
  recordDelegation(item: FoundItem): void {
    if (!isOfType(item, NS.name)) return;
    const { key } = item.owner;
    if (this.isDelegated.has(key) && key !== this.apex.key) this.isDelegated.set(key, true);
  }

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

/** A text search is much faster than reading the records. */
export async function mentionsDname(file: ZoneFile): Promise<boolean> {
  let end = '';
  for await (const octets of file.octets()) {
    const text = end + Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1');
    if (MENTION.test(text)) return true;
    end = text.slice(-LONGEST_MENTION);
  }
  return false;
}

type Item = MasterFileRecord | MasterFileError | DroppedRecord;

/** Rejects a file with names only outside the zone, which would empty it. A repaired SOA does not count. */
export class OutsideRecords {
  private first: DroppedRecord | null = null;
  private isSoaRepaired = false;
  private hasOthers = false;

  constructor(private readonly zone: DomainName) {}

  *watch(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if ('repair' in item) this.note(item);
      else if ('message' in item || !this.isSoaRepaired || item.type.name !== SOA.name) this.hasOthers = true;
      yield item;
    }
  }

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
