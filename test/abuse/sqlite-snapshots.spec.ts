import { stat } from 'node:fs/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { getRequest } from './flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { type LargeDomain, makeLargeDomain } from './large-domains.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const MIB = 2 ** 20;
/** The log restarts at 16 MiB when no reader holds an older state; one group of changes may exceed that. */
const LONGEST_LOG = 48;

describe('an export without a reader', () => {
  it('does not keep the write-ahead log from beginning anew', async () => {
    const violations = await violationsUnder({
      name: 'one unread export during changes',
      settings: unlimitedChanges(),
      prepare: async (target) => ({
        read: await makeLargeDomain(target, 'mallory', inForm(100, 500)),
        changed: await makeLargeDomain(target, 'bob', 1),
      }),
      run: async (target, { read, changed }) => {
        const octets = getRequest(`/v1/domains/${read.id}/export`, MALLORY);
        const reader = target.flood({
          kind: 'connections',
          connections: 1,
          octets,
          times: 1,
          reads: 'nothing',
          reopens: false,
        });
        await target.hold(500);
        const longest = await longestLogDuring(target, changeOften(target, changed));
        await reader.end();
        target.note({ longestLogMiB: longest });
        target.must(longest < LONGEST_LOG, `the log grew to ${Math.round(longest)} MiB`);
      },
    });
    expect(violations).toEqual([]);
  });
});

/** Repeatedly changes one 60 kB record of another tenant. */
async function changeOften(target: Target, { id, ids: [record] }: LargeDomain): Promise<void> {
  const flood = target.flood({
    kind: 'requests',
    parallel: 4,
    times: inForm(500, 2000),
    method: 'PUT',
    path: `/v1/domains/${id}/records/${String(record)}`,
    headers: { 'X-Auth-Project-ID': 'bob', 'X-Roles': 'member', 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: `%n ${'y'.repeat(30_000)}` }),
  });
  const { statuses } = await flood.ended;
  target.note({ changes: statuses });
}

/** In MiB. */
async function longestLogDuring({ database }: Target, work: Promise<void>): Promise<number> {
  const sizes: number[] = [];
  const over = work.then(() => true);
  do sizes.push((await stat(`${database}-wal`)).size / MIB);
  while (!(await Promise.race([over, delay(50, false)])));
  return Math.max(...sizes);
}
