import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { newDomain, type TestDomain } from '../support/domain.js';
import { EventReader } from '../support/event-reader.js';
import { Secondary } from '../support/secondary.js';
import { until } from '../support/until.js';
import { servedOf } from '../publishing/served.js';
import { violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { ROOMY } from './roomy.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** More than are judged at a time. */
const DOMAINS = inForm(250, 1000);
const ROUNDS = inForm(2, 10);
/** Small: the test measures the consequences of changes, not their concurrency. */
const AT_A_TIME = 5;
const PATIENCE = inForm(60_000, 300_000);

interface Counted {
  readonly count: { readonly total: number };
}

let secondary: Secondary;
beforeEach(async () => {
  secondary = await Secondary.start();
});
afterEach(() => secondary.stop());

async function inTurn(domains: readonly TestDomain[], change: (domain: TestDomain) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < domains.length; at += AT_A_TIME)
    await Promise.all(domains.slice(at, at + AT_A_TIME).map(change));
}

it('19.15 a name server that is down for all domains floods no stream with events', async () => {
  const violations = await violationsUnder({
    name: 'a lagging pool',
    settings: {
      ...ROOMY,
      SERVICE_API__ENABLED_EXTENSIONS_V1: 'events',
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__SECONDARIES: secondary.address,
      SERVICE_MDNS__LAGGING_AFTER: '2',
    },
    run: async ({ clients, database, url, must, note }) => {
      secondary.manners = () => 'drop';
      secondary.onNotify = (zone) => {
        const serial = servedOf(database, zone);
        if (serial !== null) secondary.serials.set(zone, serial);
      };
      const mallory = clients.as('mallory');
      const reader = EventReader.as('mallory', url, { query: 'since=0' });
      try {
        const domains: TestDomain[] = [];
        while (domains.length < DOMAINS)
          domains.push(...(await Promise.all(Array.from({ length: AT_A_TIME }, () => newDomain(mallory)))));
        const told = (what: string) => reader.events.filter(({ type }) => type.endsWith(`.${what}`));
        for (let round = 0; round < ROUNDS; round += 1)
          await inTurn(domains, (domain) => domain.newRecord({ name: domain.at(`r${round}`) }));
        const began = performance.now();
        await until(() => told('lagging').length >= DOMAINS, PATIENCE);
        const lagged = performance.now() - began;
        const path = `/v1/domains?behind=${secondary.address}&publication=pending&sort=updated&count=true&limit=5`;
        const lists = await Promise.all(Array.from({ length: AT_A_TIME }, () => mallory.call('get', path)));
        for (const { status, body } of lists)
          must(
            status === 503 || (status === 200 && (body as Counted).count.total === DOMAINS),
            `a list of what a server lacks was answered ${status}`,
          );
        secondary.manners = () => 'answer';
        await until(() => told('published').length >= DOMAINS, PATIENCE);
        note({ lagged, arrived: performance.now() - began - lagged });
        must(told('lagging').length === DOMAINS, `${told('lagging').length} times a domain was said to lag`);
        must(told('published').length === DOMAINS, `${told('published').length} times a domain was published`);
      } finally {
        reader.close();
      }
    },
  });
  expect(violations).toEqual([]);
});
