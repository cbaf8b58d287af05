import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { add, type KeyBody, TAKES_UPDATES, tsigKeyOf, updateOf, Updater } from '../support/updates.js';
import { type Target, violationsUnder } from './attack.js';
import { DnsFlood, type DnsFloodReport } from './dns-flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';
import { stretchOf } from './verdict.js';
import { waitedForProcessor } from './vital-signs.js';

/** Messages a second of the key that floods. */
const RATE = 1500;
/** Records of a message, which is still a small one. */
const RECORDS = 15;
const QUIET_MS = inForm(2000, 10_000);
const FLOOD_S = inForm(4, 30);
/** Until the flood has filled every queue. */
const LEAD_MS = 500;
/** Minimum interval of each kind of request, in milliseconds. */
const INTERVAL_MS = 30;
/**
 * How many times longer the median may be under the flood. A request waits for the commit under way and for its own,
 * with 5 ms of flooding changes in each (rule 20.1), and for the requests of the flood between them.
 */
const LONGEST_STRETCH = { reads: 10, writes: 10, updates: 10 };
/**
 * A median up to this one is never too long: two commits of at most 20 ms, the longest slice of work, and 10 ms for all
 * else. Without it, a fast quiet median makes the verdict stricter than the rule.
 */
const ALLOWED_MS = 50;

type Kind = keyof typeof LONGEST_STRETCH;
type Times = Readonly<Record<Kind, readonly number[]>>;

interface Measured {
  readonly times: Times;
  /** How much other processes slowed the service down. */
  readonly slowness: number;
}

/** Requests of another tenant; each resolves to a status or an RCODE. */
type Neighbor = Readonly<Record<Kind, (turn: number) => Promise<string>>>;

interface Prepared {
  readonly neighbor: Neighbor;
  readonly flood: DnsFlood;
}

describe('UPDATE messages at 1,500 a second', () => {
  it.each([
    { title: 'with one key', isSigned: true },
    { title: 'with a key that is guessed', isSigned: false },
  ])(
    '20.1, 20.9 $title leave other tenants their reads, their writes and their own UPDATE messages',
    async ({ title, isSigned }) => {
      const violations = await violationsUnder<Prepared>({
        name: `updates ${title}`,
        settings: {
          ...unlimitedChanges(),
          ...TAKES_UPDATES,
          DEFAULT__QUOTA_ZONE_RECORDS: '1000000',
          DEFAULT__QUOTA_ZONE_RECORDSETS: '1000000',
        },
        prepare: async (target) => ({
          flood: await prepareFlood(target, isSigned),
          neighbor: await prepareNeighbor(target),
        }),
        run: async (target, { neighbor, flood }) => {
          const quiet = await measure(neighbor, target, target.hold(QUIET_MS));
          const flooding = flood.run(target.signal);
          await target.hold(LEAD_MS);
          const flooded = await measure(neighbor, target, flooding);
          judge(target, { quiet, flooded }, await flooding);
        },
      });
      expect(violations).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );
});

async function updaterOf(target: Target, tenant: string, zone: string): Promise<{ id: string; updater: Updater }> {
  const client = target.clients.as(tenant);
  const { id } = await bodyOf<{ id: string }>(
    client.call('post', '/v1/domains', { name: zone, email: 'hostmaster@example.org' }),
  );
  const key = await bodyOf<KeyBody>(client.call('post', '/v1/update-keys', { name: `${tenant}.` }));
  const place = { port: Number(/dns:\/\/127\.0\.0\.1:(\d+)/.exec(target.log())?.[1]) };
  return { id, updater: new Updater(place, tsigKeyOf(key)) };
}

async function prepareFlood(target: Target, isSigned: boolean): Promise<DnsFlood> {
  const zone = 'mallory.example.com.';
  const { updater: owner } = await updaterOf(target, 'mallory', zone);
  const { place, key } = owner;
  const updater = isSigned ? owner : new Updater(place, { ...key, secret: Buffer.alloc(32) });
  const messages = Array.from({ length: RATE * FLOOD_S }, (_, at) =>
    updater.signed(
      updateOf(zone, {
        updates: Array.from({ length: RECORDS }, (_, host) => add(`h${host}-${at}.${zone}`, 60, 'A', '192.0.2.1')),
      }),
    ),
  );
  return new DnsFlood(place.port, { kind: 'datagrams', messages, times: 1, probe: null, perSecond: RATE }, 2 * FLOOD_S);
}

async function prepareNeighbor(target: Target): Promise<Neighbor> {
  const zone = 'neighbor.example.net.';
  const { id, updater } = await updaterOf(target, 'neighbor', zone);
  const client = target.clients.as('neighbor');
  const path = `/v1/domains/${id}/records`;
  const record = await bodyOf<{ id: string }>(
    client.call('post', path, { name: `www.${zone}`, type: 'TXT', data: 'first' }),
  );
  const ask = async (method: 'get' | 'put', body?: object): Promise<string> =>
    String((await client.call(method, `${path}/${record.id}`, body)).status);
  return {
    reads: () => ask('get'),
    writes: (turn) => ask('put', { data: `value ${turn}` }),
    updates: (turn) => updater.update(zone, { updates: [add(`u${turn}.${zone}`, 60, 'A', '192.0.2.2')] }),
  };
}

/** Sends all kinds of requests concurrently, each kind sequentially, until `end`. */
async function measure(requests: Neighbor, target: Target, end: Promise<unknown>): Promise<Measured> {
  const [since, waitedBefore] = [performance.now(), await waitedForProcessor(target.pid)];
  const times: Record<Kind, number[]> = { reads: [], writes: [], updates: [] };
  let hasEnded = false;
  void end.then(() => (hasEnded = true));
  await Promise.all(
    (Object.keys(requests) as Kind[]).map(async (kind) => {
      while (!hasEnded && !target.signal.aborted) {
        const begun = performance.now();
        const outcome = await requests[kind](Math.round(begun)).catch(String);
        times[kind].push(performance.now() - begun);
        target.must(outcome === '200' || outcome === 'NOERROR', `one of the ${kind} was answered ${outcome}`);
        await delay(INTERVAL_MS);
      }
    }),
  );
  const waiting = ((await waitedForProcessor(target.pid)) - waitedBefore) / (performance.now() - since);
  return { times, slowness: stretchOf({ waiting }) };
}

function judge(
  target: Target,
  { quiet, flooded }: { readonly quiet: Measured; readonly flooded: Measured },
  report: DnsFloodReport,
): void {
  target.must(report.sent === RATE * FLOOD_S, `only ${report.sent} messages were sent`);
  target.must(report.answers > 0, 'the key that floods was never answered');
  for (const kind of Object.keys(LONGEST_STRETCH) as Kind[]) {
    const [before, under] = [quantile(quiet.times[kind], 0.5), quantile(flooded.times[kind], 0.5)];
    const stretch = under / before;
    const [p90, n] = [quantile(flooded.times[kind], 0.9), flooded.times[kind].length];
    target.note({ [kind]: { quiet: before, flooded: under, p90, stretch, n } });
    const longest = Math.max(ALLOWED_MS * flooded.slowness, LONGEST_STRETCH[kind] * before);
    target.must(
      under <= longest,
      `the median of the ${kind} of another tenant became ${stretch.toFixed(1)} times as long: ${under.toFixed(1)} ms,` +
        ` more than ${longest.toFixed(1)} ms`,
    );
  }
  target.note({ report, slowness: { quiet: quiet.slowness, flooded: flooded.slowness } });
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? NaN;
}
