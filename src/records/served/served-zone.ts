import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { mailboxName } from '../../dns/mailbox.js';
import { DomainName } from '../../dns/name.js';
import { ALIAS } from '../../dns/rdata/alias.js';
import { NS } from '../../dns/rdata/name-types.js';
import { SOA, type SoaFields, soaRdata } from '../../dns/rdata/soa.js';
import type { RecordSet } from '../../dns/master-file/master-file-writer.js';
import { servedNameServers, servedSoaTtl } from '../../zones/generation.js';
import type { Generation } from '../../plugins/change-listener.js';
import { readGeneration } from '../../zones/zone-snapshot.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { RecordRepository, type ServedRecord } from '../record.repository.js';
import type { SetKey } from '../record-set.entity.js';
import { RecordSetRepository } from '../record-set.repository.js';
import { RecordsOptions } from '../records.options.js';
import { isUnreadable, type ReadRecord, readStoredRecord, type UnreadableRecord } from '../stored-record.js';
import { UnreadableRecordLog } from '../maintenance/unreadable-records.js';

/** Record sets per batch. Saves event loop turns, and stays short-lived for the garbage collector. */
const BATCH = 50;

/** Generates a zone as name servers serve it, from generated and stored record sets (behaviour 4.6, 6.5). */
@Injectable()
export class ServedZone {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly recordSetRows: RecordSetRepository,
    private readonly log: UnreadableRecordLog,
    private readonly options: RecordsOptions,
  ) {}

  /** @throws ServiceError `zone_not_found` if the zone was deleted meanwhile */
  async zone(tx: Transaction, zoneId: string): Promise<ZoneEntity> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone !== undefined) return zone;
    throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
  }

  /**
   * Batches: SOA and apex NS first, then other sets in canonical owner order (RFC 4034 §6.1). Unreadable sets are
   * reported in place and logged (behaviour 12.4).
   * @param withAliases with each ALIAS, first of its owner name, which no name server gets
   */
  recordSets(
    tx: Transaction,
    zone: ZoneEntity,
    withAliases = false,
  ): AsyncGenerator<readonly (RecordSet | OmittedSet)[]> {
    return this.recordSetsOf(tx, zone, this.presentRecords(tx, zone.id), withAliases);
  }

  async *recordSetsOf(
    tx: Transaction,
    zone: ZoneEntity,
    records: RecordSource,
    withAliases = false,
  ): AsyncGenerator<readonly (RecordSet | OmittedSet)[]> {
    const apex = DomainName.parse(zone.name);
    const [ofApexNs] = byType(await records.ofSet(zone.nameKey, NS.name));
    yield [this.soaSetOf(zone), ...this.apexNs(zone, apex, ofApexNs)];
    for await (const owners of byOwner(records.all())) {
      let batch: (RecordSet | OmittedSet)[] = [];
      for (const rows of owners) {
        const sets = [...(withAliases ? this.aliasAt(rows, zone) : []), ...this.setsAt(rows, zone)];
        const strays = rows.filter(({ type }) => !this.isKnown(type));
        batch.push(...(strays.length > 0 ? await this.withoutTornSets(tx, zone, strays, sets) : sets));
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    }
  }

  private setsAt(rows: readonly ServedRecord[], zone: ZoneEntity): (RecordSet | OmittedSet)[] {
    const sets: (RecordSet | OmittedSet)[] = [];
    for (const set of byType(rows)) {
      const [{ ownerKey, type }] = set;
      if (type !== ALIAS.name && !this.isApexNs(zone, ownerKey, type)) sets.push(this.setOf(set, zone));
    }
    return sets;
  }

  private aliasAt(rows: readonly ServedRecord[], zone: ZoneEntity): (RecordSet | OmittedSet)[] {
    const [first, ...others] = rows.filter(({ type }) => type === ALIAS.name);
    return first === undefined ? [] : [this.setOf([first, ...others], zone)];
  }

  /**
   * One served set; `records` are in fingerprint order. Without records, the apex NS are the generated ones.
   * Signatures with several TTLs yield several sets.
   */
  setAt(zone: ZoneEntity, { ownerKey, type }: SetKey, records: readonly ServedRecord[]): (RecordSet | OmittedSet)[] {
    if (type === ALIAS.name) return [];
    const sets = byType(records);
    if (this.isApexNs(zone, ownerKey, type)) return this.apexNs(zone, DomainName.parse(zone.name), sets[0]);
    return sets.map((rows) => this.setOf(rows, zone));
  }

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

  isGenerated(zone: Readonly<ZoneEntity>, ownerKey: string, type: string, rdata: Uint8Array): boolean {
    if (type !== NS.name || ownerKey !== zone.nameKey) return false;
    const { nameServer } = NS.values(rdata);
    return this.nameServersOf(zone).some((name) => DomainName.parse(name).equals(nameServer));
  }

  /** The stored values of the zone come before the configuration, because its serial stands for them. */
  private generationOf(zone: Readonly<ZoneEntity>): Generation {
    return readGeneration(zone) ?? this.options.generation;
  }

  /** Name servers of the apex NS records that are not stored. */
  nameServersOf(zone: Readonly<ZoneEntity>): readonly string[] {
    return servedNameServers(this.generationOf(zone));
  }

  /** TTL of the NS records that are not stored, in seconds; `null`: TTL of the zone. */
  apexNsTtlOf(zone: Readonly<ZoneEntity>): number | null {
    return this.generationOf(zone).apexNs?.ttl ?? null;
  }

  soaSetOf(zone: Readonly<ZoneEntity>): RecordSet {
    return { owner: DomainName.parse(zone.name), type: SOA, ttl: servedSoaTtl(zone), rdatas: [this.soaOf(zone)] };
  }

  soaOf(zone: Readonly<ZoneEntity>): Uint8Array {
    return soaRdata(this.soaFieldsOf(zone));
  }

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

  /** Generated and added name servers, without duplicates. Then the omitted set. */
  private apexNs(zone: ZoneEntity, apex: DomainName, rows: RowsOfSet | undefined): (RecordSet | OmittedSet)[] {
    const own = this.nameServersOf(zone).map((name) => NS.parse(name, null));
    const stored = rows === undefined ? null : this.setOf(rows, zone);
    const { rdatas, ttl } =
      stored === null || isOmitted(stored) ? { rdatas: [], ttl: this.apexNsTtlOf(zone) ?? zone.ttl } : stored;
    const added = rdatas.filter((rdata) => !this.isGenerated(zone, zone.nameKey, NS.name, rdata));
    const set = { owner: apex, type: NS, ttl, rdatas: [...own, ...added] };
    // A secondary zone may have no readable NS record.
    const served = set.rdatas.length > 0 ? [set] : [];
    return stored !== null && isOmitted(stored) ? [...served, stored] : served;
  }

  private setOf(rows: RowsOfSet, zone: ZoneEntity): RecordSet | OmittedSet {
    const records = rows.map((row) => readStoredRecord(row, this.options.knownTypes));
    const unreadable = records.filter(isUnreadable);
    if (unreadable.length > 0) return this.omit(unreadable);
    // A set has at least one record, and all are readable here.
    const read = records as [ReadRecord, ...ReadRecord[]];
    const [{ owner, type }] = read;
    const rdatas = read.map(({ rdata }) => rdata);
    return { owner, type, ttl: ttlOf(rows, zone), rdatas, texts: read.map(({ text }) => text) };
  }

  private omit(unreadable: readonly UnreadableRecord[]): OmittedSet {
    for (const record of unreadable) this.log.add(record);
    return { unreadable };
  }

  /** Sets with fewer records than counted are omitted: a record of an unknown type may belong to any of them. */
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

  private async tornTypesAt(tx: Transaction, zoneId: string, ownerKey: string): Promise<Set<string>> {
    const torn = new Set<string>();
    for (const { type, recordCount } of await this.recordSetRows.atOwner(tx, zoneId, ownerKey)) {
      const stored = await this.records.servedSet(tx, zoneId, ownerKey, type);
      if (stored.length < recordCount) torn.add(type);
    }
    return torn;
  }
}

export interface RecordSource {
  /** Pages in canonical owner order, record sets together, each by fingerprint. */
  all(): AsyncIterable<readonly ServedRecord[]>;
  ofSet(ownerKey: string, type: string): Promise<ServedRecord[]>;
}

/** A set that is not served, because some records are unreadable (behaviour 12.4). */
export interface OmittedSet {
  readonly unreadable: readonly UnreadableRecord[];
}

export function isOmitted(set: RecordSet | OmittedSet): set is OmittedSet {
  return 'unreadable' in set;
}

type RowsOfSet = readonly [ServedRecord, ...ServedRecord[]];

/** Groups ordered records by owner name. Yields the owner names completed by each page. */
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

function byType(rows: readonly ServedRecord[]): RowsOfSet[] {
  const sets: [ServedRecord, ...ServedRecord[]][] = [];
  for (const row of rows) {
    const set = row.type === RRSIG ? sets.find(([other]) => isLike(other, row)) : sets[sets.length - 1];
    if (set !== undefined && isLike(set[0], row)) set.push(row);
    else sets.push([row]);
  }
  return sets;
}

/** Signatures form no set together: each has the TTL of the set that it signs (RFC 4034 §3). */
function isLike(one: ServedRecord, other: ServedRecord): boolean {
  return one.type === other.type && (one.type !== RRSIG || one.ttl === other.ttl);
}

/** TTL of a set (RFC 2181 §5.2): the smallest of its records, else the TTL of the zone. */
function ttlOf(rows: readonly ServedRecord[], zone: ZoneEntity): number {
  let least: number | null = null;
  for (const { ttl } of rows) if (ttl !== null && (least === null || ttl < least)) least = ttl;
  return least ?? zone.ttl;
}
