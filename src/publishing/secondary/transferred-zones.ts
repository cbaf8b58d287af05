import { Injectable } from '@nestjs/common';
import { administrator, type Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { Transaction } from '../../database/transaction.js';
import type { RecordContent } from '../../records/record-content.js';
import { type Merged, RecordMerging } from '../../records/changes/record-merging.js';
import { RecordStaging } from '../../records/changes/record-staging.js';
import { SetExpiries } from '../../records/changes/set-notes.js';
import { SeenRecordsRepository } from '../../records/seen-records.repository.js';
import { StaleSnapshotError } from '../../zones/staged-contents.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { ZoneChanges } from '../../zones/changes/zone-changes.js';
import { snapshotOf } from '../../zones/zone-snapshot.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { TransferError } from './transfer-error.js';
import type { TransferredContents } from './transferred-contents.js';

/** From so many on a transfer is prepared beside the database: it would hold others up for a second. */
const MANY_RECORDS = 5000;
const MANY_OCTETS = 2 ** 20;

/** A change that takes records portion by portion. */
interface ChunkedChange {
  readonly change: ZoneChange;
  /** Does a part of it. */
  readonly run: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** Puts what masters have sent into secondary zones. */
@Injectable()
export class TransferredZones {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly merging: RecordMerging,
    private readonly seen: SeenRecordsRepository,
    private readonly staging: RecordStaging,
  ) {}

  /**
   * Gives a zone exactly these records and the serial that came with them, in one change; nothing happens where the zone has
   * got a later serial, or ceased to be a secondary one, meanwhile.
   * @param stop breaks it off
   * @returns the weight of the change: `ZoneChange.weight`
   * @throws TransferError for a record that cannot stand in the zone; ServiceError `zone_not_found`, `over_quota`, `unavailable`
   */
  async store(zone: Readonly<ZoneEntity>, transferred: TransferredContents, stop: AbortSignal): Promise<number> {
    const { count, octets } = transferred;
    const isLarge = Math.max(count, zone.recordCount) >= MANY_RECORDS || octets >= MANY_OCTETS;
    const weight = isLarge ? await this.storePrepared(zone, transferred, stop) : null;
    if (weight !== null) return weight;
    return this.change(zone, transferred, (change, tx) =>
      this.replaceRecords({ change, run: (work) => work(tx) }, transferred, stop),
    );
  }

  /** Large ones are prepared, where that spares others a wait. Returns null where it was not done. */
  private async storePrepared(
    zone: Readonly<ZoneEntity>,
    transferred: TransferredContents,
    stop: AbortSignal,
  ): Promise<number | null> {
    const staged = await this.staging.begin(zone, callerFor(zone));
    if (staged === null) return null;
    try {
      staged.change.takeSerial(transferred.serial);
      await this.replaceRecords({ change: staged.change, run: staged.run.bind(staged) }, transferred, stop);
      await staged.end();
      const bringIn = (change: ZoneChange, tx: Transaction) => this.staging.bringIn(change, tx, staged);
      return await this.change(zone, transferred, bringIn, staged.transaction);
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
    on?: Transaction,
  ): Promise<number> {
    const store = async (change: ZoneChange, tx: Transaction): Promise<number> => {
      if (!isTransferable(change.zone, transferred.serial)) return 0;
      change.takeSerial(transferred.serial);
      await replace(change, tx);
      await this.note(change, tx, transferred);
      return change.weight;
    };
    const scope = { isLong: true, isUnlimited: true, ...(on && { on }) };
    return this.changes.withZoneLock(zone.id, callerFor(zone), store, scope);
  }

  /** Has the zone served no longer, until a master is heard of again (RFC 1035 §3.3.13). */
  expire(zone: Readonly<ZoneEntity>): Promise<void> {
    const expire = async (change: ZoneChange, tx: Transaction): Promise<void> => {
      await this.zones.recordTransfer(tx, { ...change.zone, transferredAt: null });
    };
    return this.changes.withZoneLock(zone.id, callerFor(zone), expire, { isUnlimited: true });
  }

  /** What is gone goes first: names may change their types in one go. */
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

function callerFor({ tenantId }: Readonly<ZoneEntity>): Caller {
  return administrator('transfer', 'transfer', tenantId);
}

/** Whether a master with that serial has something for the zone: a later one, or any for a zone that is not served. */
export function isTransferable({ type, serial, transferredAt }: Readonly<ZoneEntity>, offered: number): boolean {
  return type === 'SECONDARY' && (transferredAt === null || isLaterSerial(offered, serial));
}

/** @throws TransferError for the first record that cannot stand in the zone */
function assertTaken(contents: readonly RecordContent[], merged: readonly Merged[]): void {
  for (const [at, { name, type }] of contents.entries()) {
    const outcome = merged[at];
    if (outcome instanceof ServiceError) throw new TransferError(`${name} ${type}: ${outcome.message}`, true);
  }
}
