import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { mailboxName } from '../../dns/mailbox.js';
import { DomainName } from '../../dns/name.js';
import { NS } from '../../dns/rdata/ns.js';
import { SOA, type SoaFields, soaRdata } from '../../dns/rdata/soa.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import { type Generation, servedNameServers, servedSoaTtl } from '../../zones/generation.js';
import { readGeneration } from '../../zones/zone-snapshot.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { RecordRepository, type ServedRecord } from '../record.repository.js';
import type { SetKey } from '../record-set.entity.js';
import { RecordSetRepository } from '../record-set.repository.js';
import { RecordsOptions } from '../records.options.js';
import { isUnreadable, type ReadRecord, readStoredRecord, type UnreadableRecord } from '../stored-record.js';
import { UnreadableRecordLog } from '../maintenance/unreadable-record-log.js';

/** So many record sets are handed on together: enough to save turns, and few enough that none of them grows old. */
const BATCH = 50;

/** A zone as name servers serve it: what is generated, and what its records make (behaviour 4.6, 6.5). */
@Injectable()
export class ServedZone {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly recordSetRows: RecordSetRepository,
    private readonly log: UnreadableRecordLog,
    private readonly options: RecordsOptions,
  ) {}

  /**
   * The zone as it is where its records will be read.
   * @throws ServiceError `zone_not_found` when it has gone meanwhile
   */
  async zone(tx: Transaction, zoneId: string): Promise<ZoneEntity> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone !== undefined) return zone;
    throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
  }

  /**
   * SOA and apex NS first, then all other sets, owner names in canonical order (RFC 4034 §6.1), some at a time. Sets with a
   * record that cannot be read are told of in their place and logged (behaviour 12.4).
   */
  recordSets(tx: Transaction, zone: ZoneEntity): AsyncGenerator<readonly (RecordSet | OmittedSet)[]> {
    return this.recordSetsOf(tx, zone, this.presentRecords(tx, zone.id));
  }

  /** The same of records that are not those which are stored now. */
  async *recordSetsOf(
    tx: Transaction,
    zone: ZoneEntity,
    records: RecordSource,
  ): AsyncGenerator<readonly (RecordSet | OmittedSet)[]> {
    const apex = DomainName.parse(zone.name);
    const [ofApexNs] = byType(await records.ofSet(zone.nameKey, NS.name));
    yield [this.soaSetOf(zone), ...this.apexNs(zone, apex, ofApexNs)];
    for await (const owners of byOwner(records.all())) {
      let batch: (RecordSet | OmittedSet)[] = [];
      for (const rows of owners) {
        const sets = this.setsAt(rows, zone);
        const strays = rows.filter(({ type }) => !this.isKnown(type));
        batch.push(...(strays.length > 0 ? await this.withoutTornSets(tx, zone, strays, sets) : sets));
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    }
  }

  /** The sets of one owner name, but the NS of the apex. */
  private setsAt(rows: readonly ServedRecord[], zone: ZoneEntity): (RecordSet | OmittedSet)[] {
    const sets: (RecordSet | OmittedSet)[] = [];
    for (const set of byType(rows)) {
      const [{ ownerKey, type }] = set;
      if (!this.isApexNs(zone, ownerKey, type)) sets.push(this.setOf(set, zone));
    }
    return sets;
  }

  /**
   * One set as it is served; its records come in the order of their fingerprints. Where it has none, the apex NS are those
   * that the service makes, and all others are not there. Signatures of several TTLs are several sets.
   */
  setAt(zone: ZoneEntity, { ownerKey, type }: SetKey, records: readonly ServedRecord[]): (RecordSet | OmittedSet)[] {
    const sets = byType(records);
    if (this.isApexNs(zone, ownerKey, type)) return this.apexNs(zone, DomainName.parse(zone.name), sets[0]);
    return sets.map((rows) => this.setOf(rows, zone));
  }

  /** Whether records of that type can be served. */
  isKnown(type: string): boolean {
    return this.options.knownTypes.stored(type) !== undefined;
  }

  private isApexNs({ nameKey }: ZoneEntity, ownerKey: string, type: string): boolean {
    return type === NS.name && ownerKey === nameKey;
  }

  private presentRecords(tx: Transaction, zoneId: string): RecordSource {
    return {
      all: () => this.records.served(tx, zoneId),
      ofSet: (ownerKey, type) => this.records.servedSet(tx, zoneId, ownerKey, type),
    };
  }

  /** Whether a record is one of the apex NS that the service makes itself. */
  isGenerated(zone: Readonly<ZoneEntity>, ownerKey: string, type: string, rdata: Uint8Array): boolean {
    if (type !== NS.name || ownerKey !== zone.nameKey) return false;
    const { nameServer } = NS.values(rdata);
    return this.nameServersOf(zone).some((name) => DomainName.parse(name).equals(nameServer));
  }

  /** What the zone says itself: its serial stands for that, whatever the configuration says by now. */
  private generationOf(zone: Readonly<ZoneEntity>): Generation {
    return readGeneration(zone) ?? this.options.generation;
  }

  /** Those of which the apex has NS records that are not stored: the service's own, or others that the zone has been given. */
  nameServersOf(zone: Readonly<ZoneEntity>): readonly string[] {
    return servedNameServers(this.generationOf(zone));
  }

  /** Of the NS that are not stored, in seconds; `null`: the zone's. */
  apexNsTtlOf(zone: Readonly<ZoneEntity>): number | null {
    return this.generationOf(zone).apexNs?.ttl ?? null;
  }

  /** The SOA with the TTL that it is served with. */
  soaSetOf(zone: Readonly<ZoneEntity>): RecordSet {
    return { owner: DomainName.parse(zone.name), type: SOA, ttl: servedSoaTtl(zone), rdatas: [this.soaOf(zone)] };
  }

  /** RDATA of the SOA record. */
  soaOf(zone: Readonly<ZoneEntity>): Uint8Array {
    return soaRdata(this.soaFieldsOf(zone));
  }

  /** The same as it is written. */
  soaTextOf(zone: Readonly<ZoneEntity>): string {
    const { primary, mailbox, serial, refresh, retry, expire, minimum } = this.soaFieldsOf(zone);
    return `${primary.toString()} ${mailbox.toString()} ${serial} ${refresh} ${retry} ${expire} ${minimum}`;
  }

  private soaFieldsOf(zone: Readonly<ZoneEntity>): SoaFields {
    const { nameServers, refresh, retry, expire, negativeTtl, authority } = this.generationOf(zone);
    const primary = DomainName.parse(authority?.primary ?? nameServers[0] ?? '.');
    const mailbox = authority === undefined ? mailboxName(zone.email) : DomainName.parse(authority.mailbox);
    return { primary, mailbox, serial: zone.serial, refresh, retry, expire, minimum: negativeTtl };
  }

  /** Those that are not stored and those that the user added, each once; then what had to be left out. */
  private apexNs(zone: ZoneEntity, apex: DomainName, rows: RowsOfSet | undefined): (RecordSet | OmittedSet)[] {
    const own = this.nameServersOf(zone).map((name) => NS.parse(name, null));
    const stored = rows === undefined ? null : this.setOf(rows, zone);
    const { rdatas, ttl } =
      stored === null || isOmitted(stored) ? { rdatas: [], ttl: this.apexNsTtlOf(zone) ?? zone.ttl } : stored;
    const added = rdatas.filter((rdata) => !this.isGenerated(zone, zone.nameKey, NS.name, rdata));
    const set = { owner: apex, type: NS, ttl, rdatas: [...own, ...added] };
    // A secondary zone whose NS records cannot be read has none left.
    const served = set.rdatas.length > 0 ? [set] : [];
    return stored !== null && isOmitted(stored) ? [...served, stored] : served;
  }

  private setOf(rows: RowsOfSet, zone: ZoneEntity): RecordSet | OmittedSet {
    const records = rows.map((row) => readStoredRecord(row, this.options.knownTypes));
    const unreadable = records.filter(isUnreadable);
    if (unreadable.length > 0) return this.omit(unreadable);
    // None of them is unreadable, and a set has at least one.
    const read = records as [ReadRecord, ...ReadRecord[]];
    const [{ owner, type }] = read;
    const rdatas = read.map(({ rdata }) => rdata);
    return { owner, type, ttl: ttlOf(rows, zone), rdatas, texts: read.map(({ text }) => text) };
  }

  private omit(unreadable: readonly UnreadableRecord[]): OmittedSet {
    for (const record of unreadable) this.log.add(record);
    return { unreadable };
  }

  /**
   * A record of an unknown type may have been of any set at its owner name: a set that has fewer records than were counted
   * is left out as well.
   */
  private async withoutTornSets(
    tx: Transaction,
    zone: ZoneEntity,
    strays: readonly ServedRecord[],
    sets: readonly (RecordSet | OmittedSet)[],
  ): Promise<(RecordSet | OmittedSet)[]> {
    const [{ ownerKey } = { ownerKey: '' }] = strays;
    const torn = await this.tornTypesAt(tx, zone.id, ownerKey);
    const unreadable = strays.map((row) => readStoredRecord(row, this.options.knownTypes)).filter(isUnreadable);
    return sets.map((set) => {
      if (isOmitted(set)) return set;
      const { name } = set.type;
      return torn.has(name) ? { unreadable: unreadable.map((record) => ({ ...record, type: name })) } : set;
    });
  }

  /** The types of which fewer records are stored at an owner name than were counted. */
  private async tornTypesAt(tx: Transaction, zoneId: string, ownerKey: string): Promise<Set<string>> {
    const torn = new Set<string>();
    for (const { type, recordCount } of await this.recordSetRows.atOwner(tx, zoneId, ownerKey)) {
      const stored = await this.records.servedSet(tx, zoneId, ownerKey, type);
      if (stored.length < recordCount) torn.add(type);
    }
    return torn;
  }
}

/** Where the records of a zone are read from. */
export interface RecordSource {
  /** All of them in the canonical order of their owner names, record sets together, by fingerprint in each; page by page. */
  all(): AsyncIterable<readonly ServedRecord[]>;
  ofSet(ownerKey: string, type: string): Promise<ServedRecord[]>;
}

/** A record set that is not served, because some of its records cannot be read (behaviour 12.4). */
export interface OmittedSet {
  /** At least one. */
  readonly unreadable: readonly UnreadableRecord[];
}

export function isOmitted(set: RecordSet | OmittedSet): set is OmittedSet {
  return 'unreadable' in set;
}

type RowsOfSet = readonly [ServedRecord, ...ServedRecord[]];

/** The records of each owner name, which come in the order of owner names: those of a page that are whole at its end. */
async function* byOwner(pages: AsyncIterable<readonly ServedRecord[]>): AsyncGenerator<readonly ServedRecord[][]> {
  let gathered: ServedRecord[] = [];
  for await (const page of pages) {
    const whole: ServedRecord[][] = [];
    for (const row of page) {
      if (gathered.length > 0 && gathered[0]?.ownerKey !== row.ownerKey) {
        whole.push(gathered);
        gathered = [];
      }
      gathered.push(row);
    }
    yield whole;
  }
  if (gathered.length > 0) yield [gathered];
}

const RRSIG = 'RRSIG';

/** The records of one owner name, which come in the order of their types, set by set. */
function byType(rows: readonly ServedRecord[]): RowsOfSet[] {
  const sets: [ServedRecord, ...ServedRecord[]][] = [];
  for (const row of rows) {
    const set = row.type === RRSIG ? sets.find(([other]) => isLike(other, row)) : sets[sets.length - 1];
    if (set !== undefined && isLike(set[0], row)) set.push(row);
    else sets.push([row]);
  }
  return sets;
}

/** Signatures make no set with each other: each has the TTL of the set that it signs (RFC 4034 §3). */
function isLike(one: ServedRecord, other: ServedRecord): boolean {
  return one.type === other.type && (one.type !== RRSIG || one.ttl === other.ttl);
}

/** A record set has one TTL (RFC 2181 §5.2): the smallest that its records carry, else the zone's. */
function ttlOf(rows: readonly ServedRecord[], zone: ZoneEntity): number {
  let least: number | null = null;
  for (const { ttl } of rows) if (ttl !== null && (least === null || ttl < least)) least = ttl;
  return least ?? zone.ttl;
}
