import { Injectable } from '@nestjs/common';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { IN_ZONE } from '../../database/statements/contents-id.js';
import { FIELD_END } from '../../database/statements/joined-fields.js';
import { PageStatement } from '../../database/statements/page-statement.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { isKeyOf } from '../../dns/name-key.js';
import type { RecordType } from '../../dns/rdata/index.js';
import { ALIAS } from '../../dns/rdata/alias.js';
import { NS } from '../../dns/rdata/name-types.js';
import { isPlainRdata } from '../../dns/rdata/plain-rdata.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { SetKey } from '../record-set.entity.js';
import { RecordRepository } from '../record.repository.js';
import { SERVED_COLUMNS, type ServedRecord } from '../stored-record.js';
import { columnsToJoin, joinedColumns, LONG_RDATA } from './served-records.js';
import { RecordsOptions } from '../records.options.js';

/** Larger zones are read in order instead. */
const MOST_RECORDS = 4_000_000;
const MOST_MIXED = 10_000;
const FIELDS = 5;
/** Signatures form no set together: each has the TTL of the set that it signs (RFC 4034 §3). */
const RRSIG = 46;

const UNORDERED_PAGE_SIZE = 400;
/** The first page is small, because only a read shows whether its records are too long. */
const FIRST_UNORDERED_PAGE_SIZE = 25;
const UNORDERED_FIELDS = ['name', 'owner_key', 'type', 'ttl', 'rdata'];
const UNORDERED_PAGE = new Statement<UnorderedPage>(
  `SELECT MAX(id) AS "lastId", MAX(rdata_length) AS longest, ${joinedColumns(UNORDERED_FIELDS)} AS text` +
    ` FROM (SELECT ${columnsToJoin(['id', ...UNORDERED_FIELDS])} FROM records WHERE ${IN_ZONE} AND id > ? ORDER BY id LIMIT ?) r`,
);
const UNORDERED_ROWS = new PageStatement<ServedRecord>(
  `SELECT ${SERVED_COLUMNS} FROM records WHERE ${IN_ZONE} AND id > ? AND id <= ?`,
  { key: 'id', texts: ['name', 'ownerKey', 'rdata'] },
);

interface UnorderedPage {
  readonly lastId: string | null;
  /** Longest RDATA in hexadecimal. */
  readonly longest: number;
  readonly text: string;
}

/** A record with the TTL of its set in seconds. */
export interface UnsortedRecord {
  readonly owner: DomainName;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** An inconsistency or sets with several ttls: the zone must be read again, in set order. */
export class SortRequired extends Error {
  /** @param mixed sets that may have several ttls, which a retry needs; empty: a retry would fail again */
  constructor(readonly mixed: ReadonlyMap<string, SetKey>) {
    super('the zone has to be read in order');
  }
}

/** Reads the records of a zone without order, in a fraction of the time. Leaves inconsistent zones to `ServedZone`. */
@Injectable()
export class UnsortedZoneReader {
  constructor(
    private readonly stored: RecordRepository,
    private readonly options: RecordsOptions,
  ) {}

  /** All records except the apex NS, in portions. @throws SortRequired */
  async *records(
    tx: Transaction,
    zone: ZoneEntity,
    mixed: ReadonlyMap<string, SetKey>,
  ): AsyncGenerator<readonly UnsortedRecord[]> {
    if (zone.recordCount > MOST_RECORDS) throw new SortRequired(new Map());
    const reading = new Reading(zone, this.options, await this.lowestTtls(tx, zone.id, mixed));
    for await (const fields of unordered(tx, zone.id)) yield reading.read(fields);
    if (reading.found.size > 0) throw new SortRequired(reading.found);
  }

  private async lowestTtls(
    tx: Transaction,
    zoneId: string,
    mixed: ReadonlyMap<string, SetKey>,
  ): Promise<Map<string, number>> {
    const lowest = new Map<string, number>();
    for (const { ownerKey, type, ttl } of await this.stored.ttlsOf(tx, zoneId, [...mixed.values()])) {
      const key = keyOfSet(ownerKey, type);
      lowest.set(key, Math.min(ttl, lowest.get(key) ?? Infinity));
    }
    return lowest;
  }
}

class Reading {
  readonly found = new Map<string, SetKey>();
  private readonly ttls: SetTtls;
  private readonly types = new Map<string, RecordType>();
  private count = 0;
  private lastName = '';
  private lastOwner = DomainName.ROOT;

  constructor(
    private readonly zone: ZoneEntity,
    private readonly options: RecordsOptions,
    private readonly lowestTtls: ReadonlyMap<string, number>,
  ) {
    this.ttls = new SetTtls(zone.recordCount);
  }

  read(fields: readonly string[]): UnsortedRecord[] {
    this.count += fields.length / FIELDS;
    if (fields.length % FIELDS !== 0 || this.count > this.zone.recordCount) throw new SortRequired(new Map());
    const records: UnsortedRecord[] = [];
    for (let at = 0; at < fields.length; at += FIELDS) {
      const record = this.recordAt(fields, at);
      if (record !== null) records.push(record);
    }
    return records;
  }

  private recordAt(fields: readonly string[], at: number): UnsortedRecord | null {
    const ownerKey = fields[at + 1] ?? '';
    const typeName = fields[at + 2] ?? '';
    const hex = fields[at + 4] ?? '';
    if (typeName === ALIAS.name || (typeName === NS.name && ownerKey === this.zone.nameKey)) return null;
    const type = this.typeOf(typeName);
    const rdata = Buffer.from(hex, 'hex');
    const isWhole = rdata.length * 2 === hex.length && (isPlainRdata(type.code, rdata) || isReadable(type, rdata));
    if (!isWhole) throw new SortRequired(new Map());
    const owner = this.ownerOf(fields[at] ?? '', ownerKey);
    return { owner, type: type.code, ttl: this.ttlOf(owner, type, fields[at + 3] ?? ''), rdata };
  }

  private typeOf(name: string): RecordType {
    const type = this.types.get(name) ?? this.options.knownTypes.stored(name);
    if (type === undefined) throw new SortRequired(new Map());
    this.types.set(name, type);
    return type;
  }

  /** Records of one owner mostly follow each other, and share one object. */
  private ownerOf(name: string, ownerKey: string): DomainName {
    const owner = name === this.lastName ? this.lastOwner : readName(name);
    if (!isKeyOf(ownerKey, owner.wire)) throw new SortRequired(new Map());
    this.lastName = name;
    this.lastOwner = owner;
    return owner;
  }

  private ttlOf(owner: DomainName, type: RecordType, text: string): number {
    const ttl = text === '' ? null : Number(text);
    if (ttl !== null && !Number.isSafeInteger(ttl)) throw new SortRequired(new Map());
    if (type.code === RRSIG) return ttl ?? this.zone.ttl;
    if (this.lowestTtls.size > 0) {
      const lowest = this.lowestTtls.get(keyOfSet(owner.key, type.name));
      if (lowest !== undefined) return lowest;
    }
    if (this.ttls.differs(owner.wire, type.code, ttl)) this.note({ ownerKey: owner.key, type: type.name });
    return ttl ?? this.zone.ttl;
  }

  private note(set: SetKey): void {
    this.found.set(keyOfSet(set.ownerKey, set.type), set);
    if (this.found.size > MOST_MIXED) throw new SortRequired(new Map());
  }
}

function readName(text: string): DomainName {
  try {
    return DomainName.parse(text);
  } catch {
    throw new SortRequired(new Map());
  }
}

function isReadable(type: RecordType, rdata: Uint8Array): boolean {
  try {
    type.toText(rdata);
    return true;
  } catch {
    return false;
  }
}

/** No type has a line feed. */
function keyOfSet(ownerKey: string, type: string): string {
  return `${type}\n${ownerKey}`;
}

const NO_TTL = -1;

/**
 * Remembers the ttl of each set, to find sets with several. It stores 32 bits of each set, so one million take 16 MiB.
 * Sets with equal hashes look alike.
 */
export class SetTtls {
  private readonly sets: Uint32Array;
  private readonly ttls: Int32Array;

  constructor(count: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * count + 2));
    this.sets = new Uint32Array(size);
    this.ttls = new Int32Array(size);
  }

  /** @returns whether a record of the set, or of a set with the same hash, had another ttl */
  differs(owner: Uint8Array, type: number, ttl: number | null): boolean {
    const set = numberOf(owner, type);
    const mask = this.sets.length - 1;
    let slot = set & mask;
    while (this.sets[slot] !== set && this.sets[slot] !== 0) slot = (slot + 1) & mask;
    if (this.sets[slot] === set) return this.ttls[slot] !== (ttl ?? NO_TTL);
    this.sets[slot] = set;
    this.ttls[slot] = ttl ?? NO_TTL;
    return false;
  }
}

/** The bit that tells small letters from capitals. */
const CASE = 0x20;

/** FNV-1a, case-insensitive; never 0. */
function numberOf(owner: Uint8Array, type: number): number {
  let hash = Math.imul(0x811c9dc5 ^ type, 0x01000193);
  for (const octet of owner) hash = Math.imul(hash ^ (octet | CASE), 0x01000193);
  hash ^= hash >>> 15;
  return hash >>> 0 || 1;
}

/** Fields of all records of a zone, in portions. Database order takes a sixth of the time of any other order. */
async function* unordered(tx: Transaction, zoneId: string): AsyncGenerator<readonly string[]> {
  for (let after = '', size = FIRST_UNORDERED_PAGE_SIZE; ;) {
    const page = await UNORDERED_PAGE.first(tx, [zoneId, after, size]);
    if (page === undefined || page.lastId === null) return;
    const hasLong = page.longest > LONG_RDATA;
    if (hasLong) yield* fieldsUpTo(tx, zoneId, after, page.lastId);
    else yield page.text.split(FIELD_END);
    size = hasLong ? FIRST_UNORDERED_PAGE_SIZE : Math.min(UNORDERED_PAGE_SIZE, 2 * size);
    after = page.lastId;
    await nextTurn();
  }
}

async function* fieldsUpTo(tx: Transaction, zoneId: string, from: string, to: string): AsyncGenerator<string[]> {
  for (let after = from; after < to;) {
    const { entries } = await UNORDERED_ROWS.page(tx, [zoneId, after, to], UNORDERED_PAGE_SIZE);
    await nextTurn();
    yield entries.flatMap(({ name, ownerKey, type, ttl, rdata }) => [name, ownerKey, type, String(ttl ?? ''), rdata]);
    after = entries.at(-1)?.id ?? to;
  }
}
