import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { ZoneChange } from '../changes/zone-change.js';
import { type ChangeScope, ZoneChanges } from '../changes/zone-changes.js';
import { LeftContents } from '../left-contents.js';
import { MovedContentsRepository } from '../moved-contents.repository.js';
import { type StagedContents, StagedImports, StagingConflict, StaleSnapshotError } from './staged-imports.js';

/** Rows that one transaction writes in about 50 ms. */
const FEW_ROWS = 20_000;
/** A transaction with more rows than this takes longer than others may wait. */
const MANY_ROWS = 100_000;
/** Copying a zone for a change of few of its rows takes longer than the change. */
const MOST_COPIED = 10;

type Work<T> = (change: ZoneChange, tx: Transaction) => Promise<T>;

/** Applies prepared changes of zones. Large ones write new contents ahead, and one short transaction shows them. */
@Injectable()
export class ContentsReplacer {
  constructor(
    private readonly changes: ZoneChanges,
    private readonly imports: StagedImports,
    private readonly left: LeftContents,
    private readonly moved: MovedContentsRepository,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` under the zone lock.
   * @param staged the prepared contents that `work` brings into the change @throws StaleSnapshotError
   */
  async change<T>(zoneId: string, caller: Caller, work: Work<T>, staged?: StagedContents): Promise<T> {
    const scope = { isLong: true, does: 'records', ...(staged && { on: staged.transaction }) } as const;
    if (staged !== undefined && (await this.isLarge(staged)))
      try {
        return await this.changeAhead(staged, work, scope);
      } catch (error) {
        if (!(error instanceof StagingConflict)) throw error;
      }
    return this.changes.withZoneLock(zoneId, caller, work, scope);
  }

  private async isLarge({ size, change }: StagedContents): Promise<boolean> {
    const { recordCount, recordSetCount } = change.zone;
    const isWorthwhile = recordCount + recordSetCount <= MOST_COPIED * size || size > MANY_ROWS;
    return size > FEW_ROWS && isWorthwhile && (await this.reads.run((tx) => this.moved.mayMove(tx)));
  }

  private async changeAhead<T>(staged: StagedContents, work: Work<T>, scope: ChangeScope): Promise<T> {
    const { zone, caller } = staged.change;
    const begun = new ZoneChange(zone, caller, this.clock.now());
    begun.keepSerialAs(staged.change);
    const from = await this.reads.run((tx) => this.moved.contentsOf(tx, zone.id));
    const to = timeOrderedUuid(begun.begunAt);
    const { id: zoneId, version, changedAt } = zone;
    const announced = { contentsId: to, zoneId, version, changedAt, changeId: begun.id };
    const result = await this.imports.withStagedChange(announced, async (incoming) => {
      await staged.bringInAhead(begun, (part) => incoming.write(staged.transaction, part), { from, to });
      const show: Work<T> = async (change, tx) => {
        if (change.serial !== begun.serial) throw new StaleSnapshotError();
        const done = await work(change, tx);
        await incoming.arrive(tx);
        await this.left.replace(tx, zoneId, to);
        return done;
      };
      return this.changes.withZoneLock(zoneId, caller, show, { ...scope, begun });
    });
    this.left.startRemoving();
    return result;
  }
}
