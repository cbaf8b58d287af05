import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { causeOf } from '../../common/cause.js';
import { RareWarning } from '../../common/rare-warning.js';
import { INTERRUPTED, ZoneImportTasksService } from './zone-import-tasks.service.js';
import { ZoneFilesOptions } from '../zone-files.options.js';
import { ZoneTasksService } from './zone-tasks.service.js';

const EVERY_MS = 2000;
/** How long a process may say nothing of a task that it works on. */
const TIME_LIMIT_MS = 10_000;
/** How often old tasks are looked for, in rounds. */
const ROUNDS_BETWEEN_CLEANUPS = 30;

/**
 * Sees to it that each task ends, and that it goes a day later. The process that works on a task says so again and again;
 * others, which cannot compare clocks, wait for that by their own.
 */
@Injectable()
export class ZoneTaskUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly warning = new RareWarning();
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private rounds = 0;
  /** By id: how often tasks of others had been renewed, and since when that is so. */
  private seen = new Map<string, { readonly renewals: number; readonly since: number }>();

  constructor(
    private readonly tasks: ZoneTasksService,
    private readonly imports: ZoneImportTasksService,
    private readonly options: ZoneFilesOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Nobody else has the database, so whoever worked on them has ended.
    if (this.options.isAlone) await this.logFailure(this.endAbandoned(0));
    this.timer = setInterval(() => this.begin(), EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.imports.stop();
    await this.round;
  }

  /** One round at a time, however long the database takes. */
  private begin(): void {
    this.round ??= this.logFailure(this.run()).finally(() => (this.round = null));
  }

  private async run(): Promise<void> {
    await this.tasks.renew(this.imports.underWay);
    await this.endAbandoned(TIME_LIMIT_MS);
    this.rounds += 1;
    if (this.rounds % ROUNDS_BETWEEN_CLEANUPS === 1) while (this.timer !== null && (await this.tasks.removeSome()));
  }

  private async endAbandoned(timeLimit: number): Promise<void> {
    const now = performance.now();
    const own = new Set(this.imports.underWay);
    const others = (await this.tasks.pending()).filter(({ id }) => !own.has(id));
    const known = this.seen;
    this.seen = new Map();
    for (const { id, renewals } of others) {
      const earlier = known.get(id);
      const since = earlier?.renewals === renewals ? earlier.since : now;
      if (now - since >= timeLimit) await this.tasks.failUnlessRenewed({ id, renewals }, INTERRUPTED);
      else this.seen.set(id, { renewals, since });
    }
  }

  private async logFailure(work: Promise<void>): Promise<void> {
    try {
      await work;
      this.warning.over('Background imports and exports run again.');
    } catch (error) {
      this.warning.warn(
        `Background imports and exports are paused: the database refuses (${causeOf(error)}).` +
          ` Trying again every ${EVERY_MS / 1000} s.`,
      );
    }
  }
}
