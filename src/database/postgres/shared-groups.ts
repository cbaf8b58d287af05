import { Coalescer } from '../../common/waiting/coalescer.js';
import { measureGroup } from '../commit-metrics.js';
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
  private readonly zones = new Set<string>();
  private readonly groups = new Coalescer<Gathered>((group) => this.run(group), {
    gather: gathered,
    take: (waiting) => this.take(waiting),
    atOnce: AT_ONCE,
  });

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
    this.groups.add({ zoneId, job });
  }

  /** How many requests wait to be put into a group. */
  get waitingCount(): number {
    return this.groups.waitingCount;
  }

  get isBusy(): boolean {
    return this.groups.isBusy;
  }

  drained(): Promise<void> {
    return this.groups.drained();
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
    for (const { zoneId } of group) this.zones.delete(zoneId);
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
  private take(waiting: Gathered[]): Gathered[] {
    refuseOverdue(waiting, ({ job }) => job);
    const taken: Gathered[] = [];
    const left: Gathered[] = [];
    let operations = 0;
    for (const one of waiting.splice(0)) {
      const { batch, size } = one.job;
      operations += this.zones.has(one.zoneId) ? 0 : size;
      const isFull = taken.length === GROUP_SIZE || (taken.length > 0 && operations > GROUP_OPERATIONS);
      const goesAlong = taken[0] === undefined || taken[0].job.batch === batch;
      (isFull || !goesAlong || this.zones.has(one.zoneId) ? left : taken).push(one);
    }
    waiting.push(...left);
    for (const { zoneId } of taken) this.zones.add(zoneId);
    return taken;
  }
}
