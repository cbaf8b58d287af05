import { describe, expect, it, jest } from '@jest/globals';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { connectionsHeld, getRequest } from './flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { type LargeDomain, makeLargeDomain } from './large-domains.js';
import { READ_TIMEOUT_S, readTimeout, unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const WHOLE = [
  ['list', 'records'],
  ['list of a page', 'records?limit=1000'],
  ['export', 'export'],
] as const;
const ALL_WAYS = WHOLE.flatMap(([what, path]) => [
  { what: `${what}, pipelined on one connection`, path, connections: 1, times: inForm(100, 150) },
  { what: `${what}, on many connections`, path, connections: inForm(60, 120), times: 1 },
]);
/** The short form has the longest answers, each in one of the ways. */
const WAYS = inForm(
  ALL_WAYS.filter((_, at) => [0, 5].includes(at)),
  ALL_WAYS,
);

/** A tenant may have 500 by default, thus 30 MB. Of a third as much, all answers together are still more than the bound of memory. */
const RECORDS = inForm(200, 500);
const makeDomain = (target: Target): Promise<LargeDomain> => makeLargeDomain(target, 'mallory', RECORDS);

/** Milliseconds: two windows of the time in which an answer must get on, and one more for the kernel's buffers to fill. */
const LONGEST_READ = 3 * READ_TIMEOUT_S * 1000;
/** On a busy machine. */
const LONGEST_WAIT = 4 * LONGEST_READ;

function read(domain: LargeDomain, path: string): string {
  return getRequest(`/v1/domains/${domain.id}/${path}`, MALLORY);
}

/** The most connections seen until there are `wanted`, or `milliseconds` have passed. */
async function mostHeld(target: Target, wanted: number, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let most = 0;
  do {
    await target.hold(50);
    most = Math.max(most, await connectionsHeld(target.url));
  } while (most < wanted && !target.signal.aborted && performance.now() < end);
  return most;
}

describe('a reader of many megabytes', () => {
  it.each(WAYS)(
    'a client that requests without reading does not slow down others: $what',
    async ({ what, path, connections, times }) => {
      const violations = await violationsUnder({
        name: `${what}, nothing read`,
        settings: unlimitedChanges(),
        prepare: makeDomain,
        run: async (target, domain) => {
          const octets = read(domain, path);
          const flood = target.flood({
            kind: 'connections',
            connections,
            octets,
            times,
            reads: 'nothing',
            reopens: true,
          });
          await target.hold(inForm(4000, 20_000));
          target.note(await flood.end());
        },
      });
      expect(violations).toEqual([]);
    },
  );

  const TAKERS = [
    { taking: 'nothing', reads: 'nothing' },
    { taking: 'a hundred octets each second', reads: 100 },
  ] as const;
  it.each(TAKERS)(
    `a client that takes $taking is disconnected after ${READ_TIMEOUT_S} seconds and its response freed`,
    async ({ taking, reads }) => {
      const violations = await violationsUnder({
        name: `reader who takes ${taking}`,
        settings: { ...readTimeout(), ...unlimitedChanges() },
        prepare: makeDomain,
        run: async (target, domain) => {
          const octets = read(domain, 'records');
          const flood = target.flood({ kind: 'connections', connections: 6, octets, times: 1, reads, reopens: false });
          // A busy machine takes its time to start the thread of the readers.
          const begun = await mostHeld(target, 6, 20_000);
          target.must(begun === 6, `of 6 readers ${begun} were connected`);
          const start = performance.now();
          const isOver = (): boolean => target.signal.aborted || performance.now() > start + LONGEST_WAIT;
          while ((await connectionsHeld(target.url)) > 0 && !isOver()) await target.hold(200);
          const took = performance.now() - start;
          const left = await connectionsHeld(target.url);
          target.note({ left, took, ...(await flood.end()) });
          target.must(left === 0, `of 6 readers ${left} were not cut off`);
          target.mustTake(took, LONGEST_READ, 'the last reader was cut off too late');
        },
      });
      expect(violations).toEqual([]);
    },
  );

  it('gets 503 with Retry-After beyond the response limit, while the other responses complete', async () => {
    const violations = await violationsUnder({
      name: 'many readers who read',
      settings: unlimitedChanges(),
      prepare: makeDomain,
      run: async (target, domain) => {
        const flood = target.flood({
          kind: 'requests',
          parallel: 60,
          times: inForm(60, 180),
          method: 'GET',
          path: `/v1/domains/${domain.id}/records`,
          headers: MALLORY,
        });
        const report = await flood.ended;
        target.note(report);
        const outcomes = Object.keys(report.statuses).sort().join(', ');
        target.must(outcomes === '200, 503', `the readers got ${outcomes}`);
      },
    });
    expect(violations).toEqual([]);
  });
});
