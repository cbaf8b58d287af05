import { Histogram, secondsSince } from '../observability/histogram.js';
import type { Job } from './unit-of-work.js';

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

const CHANGES = new Histogram(
  { name: 'zonewright_commit_group_changes', help: 'Changes that were begun together, to share one commit.' },
  GROUP_SIZES,
).of();
const WAITS = new Histogram({
  name: 'zonewright_change_wait_seconds',
  help: 'How long changes waited in the queue before they were begun.',
}).of();
const COMMITS = new Histogram({
  name: 'zonewright_commit_duration_seconds',
  help: 'What the database took for a COMMIT, which a group of changes shares.',
}).of();

/** Notes a group of changes that is about to be carried out. */
export function measureGroup(jobs: readonly Pick<Job, 'since'>[]): void {
  CHANGES.observe(jobs.length);
  for (const { since } of jobs) WAITS.observe(secondsSince(since));
}

/** Carries out a COMMIT and notes how long it took. */
export async function measureCommit<T>(commit: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await commit();
  COMMITS.observe(secondsSince(begun));
  return result;
}
