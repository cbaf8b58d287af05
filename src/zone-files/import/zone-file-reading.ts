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
import { ALIAS, ALIAS_ADDRESSES, type RecordTypes } from '../../dns/rdata/index.js';
import { DS } from '../../dns/rdata/dnssec.js';
import { SOA } from '../../dns/rdata/soa.js';
import { contentOf, type RecordContent } from '../../records/record-content.js';
import type { ZoneFile } from '../zone-file.js';
import {
  HiddenRecords,
  mentionsDname,
  OutsideRecords,
  type DroppedRecord,
  type FoundItem,
  type MasterFileItem,
  SigningRecords,
} from './dropped-records.js';
import type { Repair } from './import-repairs.js';

export type ZoneEntry = { readonly line: number; readonly column: number } & (
  | { readonly kind: 'record'; readonly content: RecordContent }
  /** The SOA, and addresses of an ALIAS. */
  | { readonly kind: 'generated' }
  | { readonly kind: 'repair'; readonly repair: Repair }
  | ({ readonly kind: 'fault' } & Pick<ImportError, 'message' | 'facts'>)
);

export interface ImportError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly facts?: RefusalFacts | undefined;
}

/** A `ttl` of `null` is not known yet. */
export interface ZoneOfFile {
  readonly name: string;
  readonly ttl: number | null;
}

/** One entry, or all records of a `$GENERATE`. */
type Found = FoundItem | Iterable<MasterFileItem>;
type Item = MasterFileRecord | MasterFileError | DroppedRecord;

/** Reads some entries at a time. Throws `over_quota` or `file_too_large` if `$GENERATE` exceeds the bounds. */
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
  const aliases = new AliasAddresses();
  for await (const found of foundIn(file, zone.origin, types, bounds))
    yield* aliases.leaveOut(inTurns(outside.watch(itemsOf(found, { signing, hidden, apex: zone.origin })), zone));
  yield* inTurns(outside.watch(signing.release()), zone);
  yield* inTurns(outside.verdict(), zone);
}

/** Reads a file with DNAMEs twice more: once for the DNAMEs, once for the delegations at these names. */
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

/** One list for each piece. */
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

/** Entries between two turns of the event loop, about 10 ms of work. */
const TURN = 200;

/** Portions, so that items are short-lived for the garbage collector. */
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

/** Drops DNSSEC records, DS of the apex, and records hidden by a DNAME or a delegation. */
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
      ? { kind: 'generated', line, column }
      : faultOf(`A SOA stands at ${zone.name} only, and ${displayName(owner)} is not the zone; remove the record.`);
  // A zone file gives each record a TTL; the zone's own TTL is not stored.
  const ttl = record.ttl === zone.ttl ? null : record.ttl;
  try {
    return { kind: 'record', line, column, content: contentOf({ ...record, ttl }) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return faultOf(error.message, error.firstFacts);
  }
}

/** Leaves out the addresses below the line of their ALIAS: the service resolves them (behaviour 24.8). */
class AliasAddresses {
  /** Owner name keys. */
  private readonly aliases = new Set<string>();

  async *leaveOut(portions: AsyncIterable<readonly ZoneEntry[]>): AsyncGenerator<readonly ZoneEntry[]> {
    for await (const entries of portions) yield entries.map((entry) => this.judged(entry));
  }

  private judged(entry: ZoneEntry): ZoneEntry {
    if (entry.kind !== 'record') return entry;
    const { ownerKey, type } = entry.content;
    if (type === ALIAS.name) this.aliases.add(ownerKey);
    const isFollowed = this.aliases.has(ownerKey) && ALIAS_ADDRESSES.includes(type);
    return isFollowed ? { kind: 'generated', line: entry.line, column: entry.column } : entry;
  }
}

/** Bounds for all `$GENERATE` of a file; `null`: none. */
export interface GenerateBounds {
  readonly records: number | null;
  readonly octets: number | null;
}

const NO_BOUNDS: GenerateBounds = { records: null, octets: null };

/** Octets of TTL, class, type and blanks in a line. */
const REST_OF_LINE = 16;

class GeneratedRecords {
  private records = 0;
  private octets = 0;

  constructor(private readonly bounds: GenerateBounds) {}

  /** @throws ServiceError `over_quota`, `file_too_large` during the iteration, once the bounds are exceeded */
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
        `$GENERATE would exceed the quota zone_records of ${records}; write a smaller range or ask an admin to raise it.`,
      );
    if (octets !== null && this.octets > octets)
      throw new ServiceError(
        'file_too_large',
        `$GENERATE would exceed the maximum zone file size of ${octets} octets; write a smaller range.`,
      );
  }
}
