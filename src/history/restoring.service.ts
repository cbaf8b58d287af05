import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { RecordMerging } from '../records/changes/record-merging.js';
import { RecordStaging, type StagedRecords } from '../records/changes/record-staging.js';
import { RecordLimits } from '../records/record-limits.js';
import { StaleSnapshotError } from '../zones/staged-imports/staged-imports.js';
import type { ZoneChange } from '../zones/changes/zone-change.js';
import type { ChangeHook } from '../zones/changes/change-hook.js';
import { ZoneCreator } from '../zones/zone-creator.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { FormerAliases, type FormerContents, FormerContentsReader, FormerRecordFaults } from './former-contents.js';

/** Larger zones are staged first: a single commit would block other changes too long. */
const MANY_RECORDS = 5000;
const MANY_OCTETS = 16_777_216;
/** Attempts of staging while other zones change. */
const PREPARATIONS = 2;

/** Restores deleted zones from the journal, each as one change (behaviour 11.7). */
@Injectable()
export class RestoringService {
  constructor(
    private readonly contents: FormerContentsReader,
    private readonly making: ZoneCreator,
    private readonly merging: RecordMerging,
    private readonly staging: RecordStaging,
    private readonly limits: RecordLimits,
    private readonly reads: Reads,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /**
   * @param zoneId id of the deleted zone; the new zone has another id
   * @throws ServiceError `zone_not_found`, `serial_not_found` for an incomplete history, `file_too_large`, and errors
   * of creation
   */
  restore(zoneId: string, caller: Caller, hook: ChangeHook<ZoneEntity> | null): Promise<ZoneEntity> {
    return this.streams.read(caller.tenantId, () => this.make(zoneId, caller, hook));
  }

  private async make(zoneId: string, caller: Caller, hook: ChangeHook<ZoneEntity> | null): Promise<ZoneEntity> {
    const former = await this.contents.find(zoneId, caller);
    const { zone, recordCount, octets } = former;
    if ('masters' in zone || recordCount === 0) return this.making.create(zone, caller, { hook });
    await this.assertRoom(caller, recordCount);
    const isLarge = recordCount >= MANY_RECORDS || octets >= MANY_OCTETS;
    for (let attempt = 0; isLarge && attempt < PREPARATIONS; attempt += 1) {
      const made = await this.makePrepared(former, caller, hook);
      if (made !== null) return made;
    }
    const fill = (change: ZoneChange, tx: Transaction): Promise<void> =>
      this.fill(former, { change, run: (work) => work(tx), read: (work) => work(tx) });
    return this.making.create(zone, caller, { fill, hook });
  }

  /** Rejects a zone above the quota before reading it. The limits then apply to each record. */
  private async assertRoom({ tenantId }: Caller, zoneRecords: number): Promise<void> {
    const check = await this.reads.run((tx) => this.limits.checkFor(tx, tenantId));
    check({ zoneRecords, zoneRecordsets: null, recordsetRecords: null });
  }

  /** Returns `null` without a staging area, or if the zones around it changed meanwhile. */
  private async makePrepared(
    former: FormerContents,
    caller: Caller,
    hook: ChangeHook<ZoneEntity> | null,
  ): Promise<ZoneEntity | null> {
    const { zone } = former;
    // A secondary zone has nothing to stage.
    if ('masters' in zone) return null;
    const draft = this.making.drafted(zone, caller);
    const staged = await this.staging.begin(draft, caller);
    if (staged === null) return null;
    try {
      await this.prepare(former, staged);
      const fill = (change: ZoneChange, tx: Transaction): Promise<void> => this.staging.bringIn(change, tx, staged);
      return await this.making.create(zone, caller, { fill, draft, hook, prepared: staged });
    } catch (error) {
      if (error instanceof StaleSnapshotError) return null;
      throw error;
    } finally {
      await staged.close();
    }
  }

  private async prepare(former: FormerContents, staged: StagedRecords): Promise<void> {
    const { change } = staged;
    await this.fill(former, { change, run: (work) => staged.run(work), read: (work) => this.reads.run(work) });
    await staged.end();
  }

  private async fill(former: FormerContents, { change, run, read }: Filling): Promise<void> {
    const faults = new FormerRecordFaults();
    const aliases = new FormerAliases();
    const facts = await run((tx) => this.merging.begin(tx, change));
    const now = this.clock.now();
    for (const chunk of former.portions()) {
      const records = await read((tx) => this.contents.read(tx, former, chunk));
      const contents = aliases.without(faults.readable(records, this.contents.types, now));
      const restored = contents.map(({ content }) => content);
      const merged = await run((tx) => this.merging.merge(tx, change, restored, facts));
      for (const [at, result] of merged.entries()) {
        const made = contents[at];
        if (result instanceof ServiceError && made !== undefined) faults.add(made, result);
      }
      if (faults.areMany) break;
      await nextTurn();
    }
    faults.assertNone();
  }
}

interface Filling {
  readonly change: ZoneChange;
  readonly run: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** Reads the journal, which the staged tables hide. */
  readonly read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}
