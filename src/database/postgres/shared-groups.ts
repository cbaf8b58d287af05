import { measureGroup } from '../commit-figures.js';
import type { Explain } from '../schema-watch.js';
import {
  type BatchJob,
  gathered,
  GROUP_OPERATIONS,
  GROUP_SIZE,
  isUnavailable,
  type Outcome,
  refuseOverdue,
} from '../unit-of-work.js';

/** Groups that are under way at once: while one is committed, the next is loaded. More would only make them smaller. */
const AT_ONCE = 2;

interface Gathered {
  readonly zoneId: string;
  readonly job: BatchJob;
}

/**
 * Puts requests for many zones into few transactions. Those of one zone go one after the other: none is begun while another
 * group has its zone. What a group could not do without waiting is handed on.
 */
export class SharedGroups {
  private waiting: Gathered[] = [];
  private readonly zones = new Set<string>();
  private readonly underWay = new Set<Promise<void>>();
  private isGathering = false;

  /**
   * @param commit does all it can of some requests in one transaction; `null` is what it leaves
   * @param handOn takes what is left, and may wait
   */
  constructor(
    private readonly commit: (jobs: readonly BatchJob[]) => Promise<readonly (Outcome | null)[]>,
    private readonly handOn: (zoneId: string, job: BatchJob) => void,
    private readonly explain: Explain,
  ) {}

  enqueue(zoneId: string, job: BatchJob): void {
    this.waiting.push({ zoneId, job });
    void this.gather();
  }

  /** How many requests wait to be put into a group. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  get isBusy(): boolean {
    return this.waiting.length > 0 || this.underWay.size > 0;
  }

  async drained(): Promise<void> {
    while (this.isBusy) {
      await Promise.all(this.underWay);
      await new Promise(setImmediate);
    }
  }

  private async gather(): Promise<void> {
    if (this.isGathering || this.underWay.size >= AT_ONCE) return;
    this.isGathering = true;
    await gathered(() => this.waiting.length);
    this.isGathering = false;
    this.begin();
  }

  private begin(): void {
    const group = this.take();
    if (group.length === 0) return;
    const done = this.run(group).finally(() => {
      this.underWay.delete(done);
      for (const { zoneId } of group) this.zones.delete(zoneId);
      this.gatherRest();
    });
    this.underWay.add(done);
    this.gatherRest();
  }

  private gatherRest(): void {
    if (this.waiting.length > 0) void this.gather();
  }

  private async run(group: readonly Gathered[]): Promise<void> {
    const jobs = group.map(({ job }) => job);
    measureGroup(jobs);
    const outcomes = await this.outcomesOf(jobs);
    for (const [at, { zoneId, job }] of group.entries()) {
      const outcome = outcomes[at] ?? null;
      if (outcome === null) this.handOn(zoneId, job);
      else job.settle(outcome);
    }
  }

  /** Where one of the group breaks, nothing is left of any, and each zone has a transaction of its own. */
  private async outcomesOf(jobs: readonly BatchJob[]): Promise<readonly (Outcome | null)[]> {
    try {
      return await this.commit(jobs);
    } catch (error) {
      const failure = await this.explain(error);
      return jobs.map(() => (jobs.length === 1 || isUnavailable(failure) ? { error: failure } : null));
    }
  }

  /** Those of one batch whose zones are free, as many as others can wait for. */
  private take(): Gathered[] {
    refuseOverdue(this.waiting, ({ job }) => job);
    const taken: Gathered[] = [];
    const left: Gathered[] = [];
    let operations = 0;
    for (const one of this.waiting) {
      const { batch, size } = one.job;
      operations += this.zones.has(one.zoneId) ? 0 : size;
      const isFull = taken.length === GROUP_SIZE || (taken.length > 0 && operations > GROUP_OPERATIONS);
      const goesAlong = taken[0] === undefined || taken[0].job.batch === batch;
      (isFull || !goesAlong || this.zones.has(one.zoneId) ? left : taken).push(one);
    }
    this.waiting = left;
    for (const { zoneId } of taken) this.zones.add(zoneId);
    return taken;
  }
}
