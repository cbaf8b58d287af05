import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { newDomain, type TestDomain } from '../support/domain.js';
import { holdZones, slowWriting } from '../support/postgres/held.js';
import { until } from '../support/until.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { whileSessionsAreFew } from './held-sessions.js';
import { whileReady } from './readiness.js';
import { linesOf, ROOMY } from './roomy.js';
import { Statuses } from './statuses.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const newDomains = (target: Target, count: number): Promise<TestDomain[]> =>
  Promise.all(Array.from({ length: count }, () => newDomain(target.clients.as('mallory'))));

const CLIENTS = inForm(24, 48);
/** In milliseconds, between two changes of one client: on a busy machine the attack would be that it is busy. */
const PAUSE = inForm(250, 0);
const HELD_FOR = inForm(4000, 25_000);

/** Clients that change the domains sequentially until the signal aborts. */
async function writeAllTheTime(target: Target, domains: readonly TestDomain[], over: AbortSignal): Promise<void> {
  const statuses = new Statuses();
  const write = async (client: number): Promise<void> => {
    const domain = domains[client % domains.length]!;
    for (let at = 0; !over.aborted && !target.signal.aborted; at += 1) {
      const record = { name: domain.at(`w${client}-${at}`), type: 'A', data: '192.0.2.1' };
      statuses.count((await domain.create(record)).status);
      await delay(PAUSE);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => write(client)));
  statuses.expect(target, 'writers', [200, 503]);
}

describe('18.2 domains of one tenant', () => {
  it('held by another session do not delay other tenants', async () => {
    const violations = await violationsUnder({
      name: 'domains that somebody holds',
      settings: ROOMY,
      prepare: (target) => newDomains(target, 12),
      run: async (target, domains) => {
        const over = new AbortController();
        const letGo = holdZones(
          target.database,
          domains.map(({ id }) => id),
        );
        const writing = writeAllTheTime(target, domains, over.signal);
        const hold = () => whileSessionsAreFew(target, { short: 2, long: 0 }, () => target.hold(HELD_FOR));
        await whileReady(target, hold).finally(() => {
          over.abort();
          letGo();
        });
        await writing;
      },
    });
    expect(violations).toEqual([]);
  });

  const RECORDS = inForm(500, 60_000);
  /** In milliseconds: all of them come first. */
  const UNTIL_LAST = inForm(60_000, 600_000);

  /** Imports above the concurrency limit are refused and retried. */
  async function importAll(target: Target, domains: readonly TestDomain[]): Promise<void> {
    const statuses = new Statuses();
    const send = async (domain: TestDomain): Promise<void> => {
      let status: number;
      do {
        ({ status } = await domain.sendFile(`${linesOf(RECORDS)}slow 300 IN A 192.0.2.1\n`));
        statuses.count(status);
        await delay(PAUSE);
      } while (status === 503 && !target.signal.aborted);
    };
    await Promise.all(domains.map(send));
    statuses.expect(target, 'imports', [200, 503]);
  }

  it('changed by ten imports and many writers do not delay other tenants', async () => {
    const violations = await violationsUnder({
      name: 'imports and writers of one tenant',
      settings: ROOMY,
      prepare: async (target) => ({
        domains: await newDomains(target, 10),
        slow: slowWriting(target.database),
      }),
      run: async (target, { domains, slow }) => {
        const over = new AbortController();
        const importing = importAll(target, domains);
        const writing = writeAllTheTime(target, domains, over.signal);
        await whileReady(target, async () => {
          await until(slow.isUnderWay, UNTIL_LAST);
          await whileSessionsAreFew(target, { short: 2, long: 1 }, () => target.hold(HELD_FOR));
          slow.goOn();
          await importing;
        }).finally(() => {
          over.abort();
          slow.goOn();
        });
        await writing;
      },
    });
    expect(violations).toEqual([]);
  });
});
