import { Injectable, Logger } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { inBatches } from '../../background/background-task.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ZoneCountRepository } from '../zone-count.repository.js';
import { ZoneOrders } from './zone-orders.repository.js';
import { ZoneSearchBlocks, ZONES_OF_BLOCK } from './zone-search-blocks.repository.js';

const INTERVAL_MS = 2000;
/** Blocks beyond those of the present zones: deleted zones, and former texts. */
const SPARE_BLOCKS = 128;
const MOST_DISSOLVED = 64;
const SCOPE = { queue: 'cleanups' };

/** Indexes the texts and the orders of new and changed zones (ADR 7). */
@Injectable()
export class ZoneSearchFiller implements BackgroundService {
  private readonly logger = new Logger('Zonewright');
  private isPrepared = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Reads,
    private readonly blocks: ZoneSearchBlocks,
    private readonly counts: ZoneCountRepository,
    private readonly orders: ZoneOrders,
  ) {}

  addTasks(scheduler: Scheduler): void {
    scheduler.add({
      name: 'zones.search',
      every: INTERVAL_MS,
      runOnStart: true,
      failureMessages: {
        failing: 'Cannot index the names and orders of zones',
        recovered: 'Indexing the names and orders of zones works again.',
      },
      run: (signal) => this.run(signal),
    });
  }

  private async run(signal: AbortSignal): Promise<void> {
    if (!this.isPrepared) {
      await this.prepare();
      if (await this.reads.run((tx) => this.orders.hasOtherRules(tx)))
        await this.unitOfWork.run((tx) => this.orders.begin(tx), SCOPE);
      this.isPrepared = true;
    }
    // Most runs find too few zones, and take no write lock.
    if (await this.reads.run((tx) => this.orders.hasWaiting(tx)))
      await inBatches(this.unitOfWork, (tx) => this.orders.update(tx))(signal);
    if (!(await this.reads.run((tx) => this.blocks.canForm(tx)))) return;
    await inBatches(this.unitOfWork, (tx) => this.blocks.form(tx))(signal);
    await this.compact(signal);
  }

  /** A block keeps the deleted and changed zones, so the oldest blocks are formed again if there are too many. */
  private async compact(signal: AbortSignal): Promise<void> {
    const most = (1.5 * (await this.counts.ofAll())) / ZONES_OF_BLOCK + SPARE_BLOCKS;
    for (let dissolved = 0; dissolved < MOST_DISSOLVED && !signal.aborted; dissolved += 1) {
      const isOver = await this.unitOfWork.run(async (tx) => {
        if ((await this.blocks.count(tx)) <= most) return true;
        await this.blocks.dissolveOldest(tx);
        return false;
      }, SCOPE);
      if (isOver) return;
    }
  }

  private async prepare(): Promise<void> {
    try {
      await this.unitOfWork.run((tx) => this.blocks.createTrigramIndex(tx), SCOPE);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const cause = error instanceof Error ? error.message : String(error);
      this.logger.warn(
        `Cannot create the PostgreSQL extension pg_trgm or an index with it (${cause}). Searches among zones take longer.` +
          ' As a superuser, run CREATE EXTENSION pg_trgm in the database, and restart the service.',
      );
    }
  }
}
