import { Injectable } from '@nestjs/common';
import { Slices } from '../../common/waiting/slices.js';
import type { Transaction } from '../../database/transaction.js';
import type { RecordSet } from '../../dns/master-file/master-file-writer.js';
import { DomainName } from '../../dns/name.js';
import { TransferWriter } from '../../dns/message/transfer-writer.js';
import { type JournalStep, HistoryPoints, unlessForgotten } from '../../history/history-points.js';
import { PointInTimeZones } from '../../history/point-in-time-zones.js';
import { isOmitted, ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { type ChangedSet, ChangedSets, differencesOf } from './changed-sets.js';
import { type CopyPart, CopySpool, type CachedTransfer } from './copy-spool.js';
import { type SignedDifference, SignedZones } from './signed-zones.js';
import { addRecords, addSet, isTransferred } from './transferred-set.js';
import { ZoneReader } from './zone-reader.js';

/** Limit of steps that are read over the shared connection. */
const FEW_STEPS = 1000;
/** Limit for the memory of a difference. */
const MOST_STEPS = 50_000;

/** Generated records of a zone besides the SOA, at least. */
const GENERATED = 1;

/** Renders the difference between two serials of a zone in one step (RFC 1995 §4). */
@Injectable()
export class IxfrRenderer {
  constructor(
    private readonly served: ServedZone,
    private readonly moments: HistoryPoints,
    private readonly pointInTimeZones: PointInTimeZones,
    private readonly sets: ChangedSets,
    private readonly reading: ZoneReader,
    private readonly signed: SignedZones,
    private readonly spool: CopySpool,
  ) {}

  /** Returns `null` if the whole zone has to be sent. */
  render(zoneId: string, serial: number, gone: AbortSignal): Promise<CachedTransfer | null> {
    return this.reading.fromAny(() => this.write(zoneId, serial, gone));
  }

  private async write(zoneId: string, serial: number, gone: AbortSignal): Promise<CachedTransfer | null> {
    const few = await this.reading.run(zoneId, (tx, zone) => this.difference(tx, zone, serial, FEW_STEPS));
    const parts =
      few === 'long'
        ? await this.reading.atOnce(zoneId, (tx, zone) => this.difference(tx, zone, serial, MOST_STEPS))
        : few;
    if (parts === null || parts === 'long') return null;
    return this.spool.keep(parts, gone);
  }

  /** @returns `long` if there are more than `mostSteps` steps */
  private async difference(
    tx: Transaction,
    zone: ZoneEntity,
    serial: number,
    mostSteps: number,
  ): Promise<AsyncIterable<CopyPart> | 'long' | null> {
    if (zone.publishedSerial !== null) {
      const signed = await this.signed.since(tx, zone.id, serial);
      return signed && signedParts(zone, zone.publishedSerial, signed);
    }
    const found = await this.read(tx, zone, serial, mostSteps);
    return found === null || found === 'long' ? found : this.parts(found);
  }

  private async read(
    tx: Transaction,
    zone: ZoneEntity,
    serial: number,
    mostSteps: number,
  ): Promise<ZoneDifference | 'long' | null> {
    const position = await unlessForgotten(this.moments.find(tx, zone, { serial }));
    if (position === null || zone.version - position.number > stepsWorthReading(zone)) return null;
    if (zone.version - position.number > mostSteps) return 'long';
    return unlessForgotten(this.since(tx, zone, position));
  }

  private async since(tx: Transaction, zone: ZoneEntity, position: JournalStep): Promise<ZoneDifference | null> {
    const past = await this.pointInTimeZones.changesSince(tx, zone, position);
    // After a restore or a failover, a name server may have other contents under that serial.
    if (past.isRaised) return null;
    // A changed zone TTL changes all records without their own TTL.
    if (past.zone.ttl !== zone.ttl) return null;
    const sets = await this.sets.read(tx, zone, past);
    return sets && (await this.differenceOf(past.zone, zone, sets));
  }

  private async differenceOf(
    before: ZoneEntity,
    now: ZoneEntity,
    sets: readonly ChangedSet[],
  ): Promise<ZoneDifference | null> {
    const difference = { before, now, removed: [] as RecordSet[], added: [] as RecordSet[] };
    const slices = new Slices();
    for (const set of sets) {
      const old = this.transferred(before, set, set.before);
      const present = this.transferred(now, set, set.now);
      if (old === 'unreadable' || present === 'unreadable') return null;
      for (const { removed, added } of differencesOf(old, present)) {
        if (removed !== null) difference.removed.push(removed);
        if (added !== null) difference.added.push(added);
      }
      if (slices.isOver(totalLength([...set.before, ...set.now].map(({ rdata }) => rdata)))) await slices.pause();
    }
    return countOf(difference) > now.recordCount + GENERATED ? null : difference;
  }

  /** Returns no set if it is excluded from transfers, several for signatures with different TTLs. */
  private transferred(zone: ZoneEntity, set: ChangedSet, records: ChangedSet['now']): RecordSet[] | 'unreadable' {
    const served = this.served.setAt(zone, set, records);
    if (served.some(isOmitted)) return 'unreadable';
    return served.filter(isTransferred);
  }

  private async *parts({ before, now, removed, added }: ZoneDifference): AsyncGenerator<CopyPart> {
    yield now.serial;
    const writer = new TransferWriter(DomainName.parse(now.name));
    const [oldSoa, soa] = [this.served.soaSetOf(before), this.served.soaSetOf(now)];
    const slices = new Slices();
    for (const set of [soa, oldSoa, ...removed, soa, ...added, soa]) {
      yield* addSet(writer, set);
      if (slices.isOver(totalLength(set.rdatas))) await slices.pause();
    }
    yield writer.finish();
  }
}

async function* signedParts(
  { name }: ZoneEntity,
  serial: number,
  { before, now, removed, added }: SignedDifference,
): AsyncGenerator<CopyPart> {
  yield serial;
  const writer = new TransferWriter(DomainName.parse(name));
  const records = [now, before, ...removed, now, ...added, now];
  const slices = new Slices();
  for (const record of records) {
    yield* addRecords(writer, [record]);
    if (slices.isOver(record.rdata.length)) await slices.pause();
  }
  yield writer.finish();
}

interface ZoneDifference {
  readonly before: ZoneEntity;
  readonly now: ZoneEntity;
  readonly removed: readonly RecordSet[];
  readonly added: readonly RecordSet[];
}

/** Reading a small zone costs less than reading many steps. */
function stepsWorthReading({ recordCount }: ZoneEntity): number {
  return Math.min(MOST_STEPS, recordCount + FEW_STEPS);
}

function countOf({ removed, added }: ZoneDifference): number {
  return [...removed, ...added].reduce((sum, { rdatas }) => sum + rdatas.length, 0);
}

function totalLength(items: readonly { readonly length: number }[]): number {
  return items.reduce((sum, { length }) => sum + length, 0);
}
