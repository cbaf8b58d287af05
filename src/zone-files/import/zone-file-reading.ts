import type { RefusalFacts } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type {
  MasterFileError,
  MasterFileRecord,
  MasterFileRepair,
  MasterFileSignature,
} from '../../dns/master-file/master-file.js';
import { MasterFileReader } from '../../dns/master-file/master-file-reader.js';
import { DomainName, displayName } from '../../dns/name.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { DS } from '../../dns/rdata/ds.js';
import { SOA } from '../../dns/rdata/soa.js';
import { contentOf, type RecordContent } from '../../records/record-content.js';
import { type GenerateBounds, GeneratedRecords, type MasterFileItem, NO_BOUNDS } from '../generated-records.js';
import type { ZoneFile } from '../zone-file.js';
import { HiddenRecords, mentionsDname } from './hidden-records.js';
import type { ImportError } from './import-errors.js';
import type { Repair } from './import-repairs.js';
import { OutsideRecords } from './outside-records.js';
import { type DroppedRecord, SigningRecords } from './signing-records.js';

/** A record of a zone file under the rules of the API, or a fault; both know where they stand. */
export type ZoneEntry = { readonly line: number; readonly column: number } & (
  | { readonly kind: 'record'; readonly content: RecordContent }
  | { readonly kind: 'soa' }
  | { readonly kind: 'repair'; readonly repair: Repair }
  | ({ readonly kind: 'fault' } & Pick<ImportError, 'message' | 'facts'>)
);

/** What reading needs to know of the zone that a file is for; a `ttl` of `null` is not known yet. */
export interface ZoneOfFile {
  readonly name: string;
  readonly ttl: number | null;
}

/** What was found in the text: one entry, or all that a `$GENERATE` stands for. */
type FoundItem = MasterFileItem | MasterFileSignature;
type Found = FoundItem | Iterable<MasterFileItem>;
type Item = MasterFileRecord | MasterFileError | DroppedRecord;

/**
 * Reads a zone file for a zone, some entries at a time.
 * @throws ServiceError `over_quota`, `file_too_large` where `$GENERATE` makes more than the bounds allow
 */
export async function* readZone(
  file: ZoneFile,
  { name, ttl }: ZoneOfFile,
  types: RecordTypes,
  bounds: GenerateBounds = NO_BOUNDS,
): AsyncGenerator<readonly ZoneEntry[]> {
  const zone = { name, ttl, origin: DomainName.parse(name) };
  const signing = new SigningRecords(zone.origin);
  const outside = new OutsideRecords(zone.origin);
  const hidden = await hiddenRecords(file, zone.origin, types, bounds);
  for await (const found of foundIn(file, zone.origin, types, bounds))
    yield* inTurns(outside.watch(itemsOf(found, { signing, hidden, apex: zone.origin })), zone);
  yield* inTurns(outside.watch(signing.release()), zone);
  yield* inTurns(outside.verdict(), zone);
}

/** Reads a file that may have DNAMEs twice more: for their names, and for the delegations at these names. */
async function hiddenRecords(
  file: ZoneFile,
  apex: DomainName,
  types: RecordTypes,
  bounds: GenerateBounds,
): Promise<HiddenRecords> {
  const hidden = new HiddenRecords(apex);
  const look = async (note: (item: FoundItem) => void): Promise<void> => {
    let read = 0;
    for await (const found of foundIn(file, apex, types, bounds))
      for (const item of found) {
        note(item);
        if (++read % TURN === 0) await nextTurn();
      }
  };
  if (await mentionsDname(file)) await look((item) => hidden.recordDname(item));
  if (hidden.areAny) await look((item) => hidden.recordDelegation(item));
  return hidden;
}

/** Reads the items of the file, those of one piece together. */
async function* foundIn(
  file: ZoneFile,
  origin: DomainName,
  types: RecordTypes,
  bounds: GenerateBounds,
): AsyncGenerator<Iterable<FoundItem>> {
  const generated = new GeneratedRecords(bounds);
  let found: Found[] = [];
  const reader = new MasterFileReader(
    { origin, types },
    {
      record: (record) => found.push(record),
      error: (error) => found.push(error),
      signature: (signature) => found.push(signature),
      repair: (repair) => found.push(repair),
      generated: (items) => found.push(generated.bounded(items)),
    },
  );
  for await (const octets of file.octets()) {
    reader.push(octets);
    yield oneByOne(found);
    found = [];
  }
  reader.end();
  yield oneByOne(found);
}

/** So many entries are handled before others get their turn: some ten milliseconds' work. */
const TURN = 200;

/** Understands what was found turn by turn: what is not kept long costs the collector nothing. */
async function* inTurns(
  items: Iterable<Item>,
  zone: ZoneOfFile & { readonly origin: DomainName },
): AsyncGenerator<readonly ZoneEntry[]> {
  let turn: ZoneEntry[] = [];
  for (const item of items) {
    if ('message' in item) turn.push({ kind: 'fault', ...item });
    else turn.push('repair' in item ? { kind: 'repair', ...item } : entryOf(item, zone));
    if (turn.length < TURN) continue;
    yield turn;
    turn = [];
    await nextTurn();
  }
  if (turn.length > 0) yield turn;
}

interface LeftOut {
  readonly signing: SigningRecords;
  readonly hidden: HiddenRecords;
  readonly apex: DomainName;
}

/** Without the records that signing has made, those that are the parent's, and those that a DNAME or a delegation hides. */
function* itemsOf(found: Iterable<FoundItem>, { signing, hidden, apex }: LeftOut): Generator<Item> {
  for (const item of found) {
    if ('message' in item) yield item;
    else if ('kind' in item) yield repairedLine(item);
    else if (isApexDs(item, apex)) yield repairedLine({ ...item, kind: 'apex_ds', text: apex.toString() });
    else if (!('rdata' in item)) yield* signing.signature(item);
    else for (const kept of signing.record(item)) yield 'repair' in kept ? kept : hidden.judged(kept);
  }
}

function isApexDs(item: MasterFileRecord | MasterFileSignature, apex: DomainName): boolean {
  return 'rdata' in item && item.type.name === DS.name && item.owner.equals(apex);
}

function repairedLine({ line, column, kind, text }: MasterFileRepair): DroppedRecord {
  return { line, column, repair: { kind, text } };
}

function* oneByOne(found: readonly Found[]): Generator<FoundItem> {
  for (const item of found) {
    if (Symbol.iterator in item) yield* item;
    else yield item;
  }
}

/** The same rules as for a record of the API: what may be written one by one may be imported, and nothing else. */
function entryOf(record: MasterFileRecord, zone: ZoneOfFile & { origin: DomainName }): ZoneEntry {
  const { owner, type, line, column } = record;
  const faultOf = (message: string, facts?: RefusalFacts): ZoneEntry => ({
    kind: 'fault',
    line,
    column,
    message,
    facts,
  });
  if (type.name === SOA.name)
    return owner.equals(zone.origin)
      ? { kind: 'soa', line, column }
      : faultOf(`A SOA stands at ${zone.name} only, and ${displayName(owner)} is not a zone of its own; leave it out.`);
  // A zone file gives every record a TTL; the zone's own stays the zone's.
  const ttl = record.ttl === zone.ttl ? null : record.ttl;
  try {
    return { kind: 'record', line, column, content: contentOf({ ...record, ttl }) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return faultOf(error.message, error.firstFacts);
  }
}
