import { allOf } from '../../common/all-of.js';
import { groupedBy } from '../../common/grouped.js';
import { Coalescer } from '../../common/waiting/coalescer.js';
import type { Lookup } from '../statements/lookup.js';
import type { SqlValue, Transaction } from '../transaction.js';
import {
  isUnavailable,
  measureGroup,
  type BatchJob,
  gathered,
  GROUP_OPERATIONS,
  GROUP_SIZE,
  type Outcome,
  refuseOverdue,
} from '../unit-of-work.js';
import type { Explain } from '../schema-watch.js';

/** While one round trip runs, the next one gathers. More would only make them smaller. */
const ROUND_TRIPS_AT_ONCE = 2;
/** Requests per round trip. */
const MOST = 128;

interface Asked {
  readonly lookup: Lookup<unknown>;
  readonly key: readonly SqlValue[];
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** Puts look-ups of unrelated requests into one round trip, since waking the two processes costs most. */
export class SharedLookups {
  private readonly asked = new Coalescer<Asked>((batch) => this.run(batch), {
    take: (waiting) => waiting.splice(0, MOST),
    atOnce: ROUND_TRIPS_AT_ONCE,
  });

  constructor(private readonly read: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>) {}

  rows<Row>(lookup: Lookup<Row>, key: readonly SqlValue[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.asked.add({ lookup, key, resolve: (rows) => resolve(rows as Row[]), reject });
    });
  }

  /** If one look-up fails, each runs again alone. */
  private async run(batch: readonly Asked[]): Promise<void> {
    try {
      await this.read((tx) => allOf([...groupedBy(batch, ({ lookup }) => lookup)].map((one) => answer(tx, ...one))));
    } catch (error) {
      if (batch.length > 1 && !(error instanceof Error && isUnavailable(error)))
        await Promise.all(batch.map((one) => this.run([one])));
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** Many requests use the same token and zone: each gets a copy of the row. */
async function answer(tx: Transaction, lookup: Lookup<unknown>, asked: readonly Asked[]): Promise<void> {
  const byKey = [...groupedBy(asked, ({ key }) => JSON.stringify(key)).values()];
  const keys = byKey.map(([first]) => first?.key ?? []);
  const rows = await lookup.rowsByKey(tx, [], keys);
  for (const [at, alike] of byKey.entries()) for (const { resolve } of alike) resolve((rows[at] ?? []).map(ownCopy));
}

function ownCopy(row: unknown): unknown {
  const { key, ...columns } = row as { readonly key: number };
  return columns;
}

/** While one group commits, the next one loads. More would only make them smaller. */
const GROUPS_AT_ONCE = 2;

interface Gathered {
  readonly zoneId: string;
  readonly job: BatchJob;
}

/** Puts requests for many zones into few transactions, with at most one group per zone at a time. */
export class SharedGroups {
  private readonly zones = new Set<string>();
  private readonly groups = new Coalescer<Gathered>((group) => this.run(group), {
    gather: gathered,
    take: (waiting) => this.take(waiting),
    atOnce: GROUPS_AT_ONCE,
  });

  /** `commit` returns `null` for requests that would have to wait, which `handOn` takes. */
  constructor(
    private readonly commit: (jobs: readonly BatchJob[]) => Promise<readonly (Outcome | null)[]>,
    private readonly handOn: (zoneId: string, job: BatchJob) => void,
    private readonly explain: Explain,
  ) {}

  enqueue(zoneId: string, job: BatchJob): void {
    this.groups.add({ zoneId, job });
  }

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

  /** If one request fails unexpectedly, each zone gets its own transaction. */
  private async outcomesOf(jobs: readonly BatchJob[]): Promise<readonly (Outcome | null)[]> {
    try {
      return await this.commit(jobs);
    } catch (error) {
      const failure = await this.explain(error);
      return jobs.map(() => (jobs.length === 1 || isUnavailable(failure) ? { error: failure } : null));
    }
  }

  /** Takes requests of one batch with free zones, up to the group size. */
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
