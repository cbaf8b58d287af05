import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { isKeyOf } from '../../dns/name-key.js';
import type { RecordType } from '../../dns/rdata/index.js';
import { NS } from '../../dns/rdata/ns.js';
import { isPlainRdata } from '../../dns/rdata/plain-rdata.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { SetKey } from '../record-set.entity.js';
import { RecordRepository } from '../record.repository.js';
import { RecordsOptions } from '../records.options.js';
import { SetTtls } from '../changes/set-ttls.js';

/** Of more records than that the sets are not remembered. */
const MOST_RECORDS = 4_000_000;
/** So many sets may have several ttls. */
const MOST_MIXED = 10_000;
const FIELDS = 5;
/** Signatures make no set with each other: each has the TTL of the set that it signs (RFC 4034 §3). */
const RRSIG = 46;

/** A record with the TTL of its set in seconds. */
export interface UnsortedRecord {
  readonly owner: DomainName;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/**
 * A zone that has to be read in the order of its sets: something in it is not as it should be, or its sets have several
 * ttls in them. What has been read of it is of no use.
 */
export class SortRequired extends Error {
  /** @param mixed sets that may have several ttls: told of them, another reading gets further; none: nothing would help */
  constructor(readonly mixed: ReadonlyMap<string, SetKey>) {
    super('the zone has to be read in order');
  }
}

/**
 * The records of a zone in no order, for those who do not ask for one: it takes a fraction of the time. It is for zones in
 * which all is well; whatever is not, it leaves to `ServedZone`.
 */
@Injectable()
export class UnsortedZoneReader {
  constructor(
    private readonly stored: RecordRepository,
    private readonly options: RecordsOptions,
  ) {}

  /**
   * All records but the apex NS, portion by portion.
   * @param mixed sets that may have several ttls
   * @throws SortRequired
   */
  async *records(
    tx: Transaction,
    zone: ZoneEntity,
    mixed: ReadonlyMap<string, SetKey>,
  ): AsyncGenerator<readonly UnsortedRecord[]> {
    if (zone.recordCount > MOST_RECORDS) throw new SortRequired(new Map());
    const reading = new Reading(zone, this.options, await this.lowestTtls(tx, zone.id, mixed));
    for await (const fields of this.stored.unordered(tx, zone.id)) yield reading.read(fields);
    if (reading.found.size > 0) throw new SortRequired(reading.found);
  }

  /** Of the sets with their records' ttls as they are now. */
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
  /** Sets that turned out to have several ttls. */
  readonly found = new Map<string, SetKey>();
  private readonly ttls: SetTtls;
  private readonly types = new Map<string, RecordType>();
  private count = 0;
  private lastName = '';
  private lastOwner = DomainName.ROOT;

  constructor(
    private readonly zone: ZoneEntity,
    private readonly options: RecordsOptions,
    /** By set, where its records have several. */
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

  /** `null` for apex NS. */
  private recordAt(fields: readonly string[], at: number): UnsortedRecord | null {
    const ownerKey = fields[at + 1] ?? '';
    const typeName = fields[at + 2] ?? '';
    const hex = fields[at + 4] ?? '';
    if (typeName === NS.name && ownerKey === this.zone.nameKey) return null;
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

  /** Records of one owner mostly follow each other, and then have the same object. */
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
