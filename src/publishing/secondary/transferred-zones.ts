import { Injectable } from '@nestjs/common';
import { administrator, type Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { WritePart } from '../../database/statements/staging.js';
import type { Transaction } from '../../database/transaction.js';
import { type RecordContent, transferredContentOf } from '../../records/record-content.js';
import { type Merged, RecordMerging } from '../../records/changes/record-merging.js';
import { RecordStaging, type StagedRecords } from '../../records/changes/record-staging.js';
import { SetExpiries } from '../../records/changes/set-notes.js';
import { RecordsOptions } from '../../records/records.options.js';
import { SeenRecordsRepository } from '../../records/seen-records.repository.js';
import { ContentsReplacer } from '../../zones/staged-imports/contents-replacer.js';
import { StaleSnapshotError, type StagedContents } from '../../zones/staged-imports/staged-imports.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { ZoneChanges } from '../../zones/changes/zone-changes.js';
import { snapshotOf } from '../../zones/zone-snapshot.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { TransferError, type ReceivedZone } from './received-zone.js';
import { MAX_TTL } from '../../common/field-limits.js';
import { mailboxFault, mailboxOf } from '../../dns/mailbox.js';
import type { DomainName } from '../../dns/name.js';
import { type RecordTypes, SOA } from '../../dns/rdata/index.js';
import type { ResourceRecord } from '../../dns/message/message.js';
import type { Generation } from '../../plugins/change-listener.js';

/** Larger transfers are staged, because they would block other changes for a second. */
const MANY_RECORDS = 5000;
const MANY_OCTETS = 2 ** 20;
/** Attempts for a zone that changes meanwhile. */
const PREPARATIONS = 2;

interface ChunkedChange {
  readonly change: ZoneChange;
  readonly run: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

@Injectable()
export class TransferredZones {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly merging: RecordMerging,
    private readonly seen: SeenRecordsRepository,
    private readonly staging: RecordStaging,
    private readonly replacer: ContentsReplacer,
    private readonly options: RecordsOptions,
  ) {}

  /** @throws the reason of `stop` */
  read(received: ReceivedZone, stop: AbortSignal): Promise<TransferredContents> {
    return readContents(received, this.options.knownTypes, stop);
  }

  /**
   * Does nothing if the zone has got a later serial or a different type meanwhile. Returns `ZoneChange.weight`.
   * @throws TransferError for a forbidden record; ServiceError `zone_not_found`, `over_quota`, `unavailable`
   */
  async store(zone: Readonly<ZoneEntity>, transferred: TransferredContents, stop: AbortSignal): Promise<number> {
    const { count, octets } = transferred;
    const isLarge = Math.max(count, zone.recordCount) >= MANY_RECORDS || octets >= MANY_OCTETS;
    for (let attempt = 0; isLarge && attempt < PREPARATIONS; attempt += 1) {
      const present = await this.zones.find(zone.id, callerFor(zone));
      const weight = await this.storePrepared(present, transferred, stop);
      if (weight !== null) return weight;
    }
    return this.change(zone, transferred, (change, tx) =>
      this.replaceRecords({ change, run: (work) => work(tx) }, transferred, stop),
    );
  }

  /** Stages a large transfer. Returns `null` if staging is not possible, or if the zone has changed meanwhile. */
  private async storePrepared(
    zone: Readonly<ZoneEntity>,
    transferred: TransferredContents,
    stop: AbortSignal,
  ): Promise<number | null> {
    if (!isTransferable(zone, transferred.serial)) return 0;
    const staged = await this.staging.begin(zone, callerFor(zone));
    if (staged === null) return null;
    try {
      staged.change.takeSerial(transferred.serial);
      await this.replaceRecords({ change: staged.change, run: staged.run.bind(staged) }, transferred, stop);
      await staged.end();
      const bringIn = (change: ZoneChange, tx: Transaction) => this.staging.bringIn(change, tx, staged);
      return await this.change(zone, transferred, bringIn, stoppable(staged, stop));
    } catch (error) {
      if (error instanceof StaleSnapshotError) return null;
      throw error;
    } finally {
      await staged.close();
    }
  }

  private change(
    zone: Readonly<ZoneEntity>,
    transferred: TransferredContents,
    replace: (change: ZoneChange, tx: Transaction) => Promise<void>,
    staged?: StagedContents,
  ): Promise<number> {
    const store = async (change: ZoneChange, tx: Transaction): Promise<number> => {
      const isStale = !isTransferable(change.zone, transferred.serial);
      if (isStale && staged !== undefined) throw new StaleSnapshotError();
      if (isStale) return 0;
      change.takeSerial(transferred.serial);
      await replace(change, tx);
      await this.note(change, tx, transferred);
      return change.weight;
    };
    return this.replacer.change(zone.id, callerFor(zone), store, staged, true);
  }

  /** Stops serving the zone until the next answer of a primary (RFC 1035 §3.3.13). */
  expire(zone: Readonly<ZoneEntity>): Promise<void> {
    const expire = async (change: ZoneChange, tx: Transaction): Promise<void> => {
      await this.zones.recordTransfer(tx, { ...change.zone, transferredAt: null });
    };
    return this.changes.withZoneLock(zone.id, callerFor(zone), expire, { isUnlimited: true });
  }

  /** Removes old records first, so that a name can change its types in one transfer. */
  private async replaceRecords(
    { change, run }: ChunkedChange,
    contents: TransferredContents,
    stop: AbortSignal,
  ): Promise<void> {
    const { id } = change.zone;
    await run((tx) => this.seen.begin(tx));
    for await (const chunk of contents.portions()) {
      await run((tx) => this.seen.add(tx, id, chunk));
      await nextTurn();
      stop.throwIfAborted();
    }
    for await (const records of this.seen.missing(run, id)) {
      await run(async (tx) =>
        this.merging.remove(tx, change, records, await this.seen.setsAmong(tx, records), new SetExpiries()),
      );
      stop.throwIfAborted();
    }
    const facts = await run((tx) => this.merging.begin(tx, change));
    for await (const chunk of contents.portions()) {
      const merged = await run((tx) => this.merging.merge(tx, change, chunk, facts));
      assertTaken(chunk, merged);
      await nextTurn();
      stop.throwIfAborted();
    }
  }

  private async note(change: ZoneChange, tx: Transaction, transferred: TransferredContents) {
    const { serial, ttl, generation } = transferred;
    const before = change.zone;
    const now = change.nextInstant();
    const after = {
      ...before,
      serial,
      email: transferred.email ?? before.email,
      ttl,
      generation: JSON.stringify(generation),
      transferredAt: now,
      updatedAt: now,
    };
    await this.zones.recordTransfer(tx, after);
    change.record('zone.update', { before: snapshotOf(before), after: snapshotOf(after) });
  }
}

/** Ends the writing ahead, which takes seconds, when the service stops. */
function stoppable(staged: StagedRecords, stop: AbortSignal): StagedContents {
  const { transaction, change, size } = staged;
  const going: (write: WritePart) => WritePart = (write) => (part) => (stop.throwIfAborted(), write(part));
  return { transaction, change, size, bringInAhead: (of, write, ids) => staged.bringInAhead(of, going(write), ids) };
}

function callerFor({ tenantId }: Readonly<ZoneEntity>): Caller {
  return administrator('transfer', 'transfer', tenantId);
}

/** Whether a serial of a primary is worth a transfer: a later one, or any for an unserved zone. */
export function isTransferable({ type, serial, transferredAt }: Readonly<ZoneEntity>, offered: number): boolean {
  return type === 'SECONDARY' && (transferredAt === null || isLaterSerial(offered, serial));
}

/** @throws TransferError for the first record that is not allowed in the zone */
function assertTaken(contents: readonly RecordContent[], merged: readonly Merged[]): void {
  for (const [at, { name, type }] of contents.entries()) {
    const outcome = merged[at];
    if (outcome instanceof ServiceError) throw new TransferError(`${name} ${type}: ${outcome.message}`, true);
  }
}

interface TransferredContents {
  readonly serial: number;
  readonly email: string | null;
  /** TTL of the SOA record, in seconds. */
  readonly ttl: number;
  readonly generation: Generation;
  readonly count: number;
  readonly octets: number;
  /** Yields all records, about ten milliseconds of work at a time. Each call reads them again to save memory. */
  portions(): AsyncIterable<readonly RecordContent[]>;
}

const PORTION = 500;
const PORTION_OCTETS = 65_536;

async function readContents(
  received: ReceivedZone,
  types: RecordTypes,
  stop: AbortSignal,
): Promise<TransferredContents> {
  const { soa, octets } = received;
  const { serial, primary, mailbox, refresh, retry, expire, minimum } = SOA.values(soa.rdata);
  const authority = { primary: primary.toString(), mailbox: mailbox.toString() };
  const generation = { nameServers: [], refresh, retry, expire, negativeTtl: minimum, authority };
  const portions = (): AsyncIterable<readonly RecordContent[]> => chunksOf(received, types);
  let count = 0;
  for await (const chunk of portions()) {
    count += chunk.length;
    await nextTurn();
    stop.throwIfAborted();
  }
  return { serial, email: emailOf(mailbox), ttl: ttlOf(soa), generation, count, octets, portions };
}

/** RFC 1035 §8. */
function emailOf(name: DomainName): string | null {
  const address = mailboxOf(name);
  return mailboxFault(address) === null ? address : null;
}

async function* chunksOf(received: ReceivedZone, types: RecordTypes): AsyncGenerator<readonly RecordContent[]> {
  let chunk: RecordContent[] = [];
  let octets = 0;
  for await (const records of received.portions())
    for (const record of records) {
      chunk.push(readRecord(record, types));
      octets += record.rdata.length;
      if (chunk.length < PORTION && octets < PORTION_OCTETS) continue;
      yield chunk;
      chunk = [];
      octets = 0;
    }
  if (chunk.length > 0) yield chunk;
}

/** Stores each TTL with its record, because the TTL of the SOA may change with the next transfer. */
function readRecord(record: ResourceRecord, types: RecordTypes): RecordContent {
  const { owner, type, rdata } = record;
  return transferredContentOf(types, { owner, code: type, rdata, ttl: ttlOf(record) });
}

/** RFC 2181 §8: a TTL with the highest bit set means 0. */
function ttlOf({ ttl }: ResourceRecord): number {
  return ttl > MAX_TTL ? 0 : ttl;
}
