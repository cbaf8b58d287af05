import { describe, expect, it, jest } from '@jest/globals';
import { readRequests, signRequests } from '../../src/dns/dnssec/key-exchange.js';
import { DomainName } from '../../src/dns/name.js';
import { CDNSKEY } from '../../src/dns/rdata/dnssec.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import type { Client, Settings } from '../support/service.js';
import { newSigningKey } from '../support/signed-model.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const DOMAINS = inForm(12, 100);
const RECORDS = inForm(300, 500);
/** Concurrent requests of the attacker. */
const AT_ONCE = 8;
/** Longest delay in milliseconds for a small domain of another tenant; tens of milliseconds without an attack. */
const LONGEST_DELAY = 10_000;
/** Keys of one domain that are known by their tags, and those in use. */
const MOST_KEYS = 102;
const ROLLOVERS = inForm(24, 600);
const CHANGES = inForm(300, 6000);
const RESPONSES = inForm(24, 300);
/** Of an offline KSK, for one domain. */
const MOST_KEPT_SIGNATURES = 4000;
/** Differences between serials of one signed domain. */
const MOST_STEPS = 2064;

const SETTINGS = (): Settings => ({
  ...unlimitedChanges(),
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_CENTRAL__SOA_MINIMUM: '1',
  ...DNSSEC_ON,
  SERVICE_DNSSEC__CSK_LIFETIME: '3650',
  SERVICE_DNSSEC__ZSK_LIFETIME: '3650',
  DEFAULT__QUOTA_ZONES: String(DOMAINS),
  // Quotas do not count generated records.
  DEFAULT__QUOTA_ZONE_RECORDS: '510',
});

interface Dnssec {
  readonly state: string;
  readonly rollover: { readonly id: string } | null;
  readonly published_serial: number | null;
}

const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;

async function enable(client: Client, domain: TestDomain, wish: object = {}): Promise<void> {
  await answerOf(client.call('put', pathOf(domain), { enabled: true, ...wish }));
}

function dnssecOf(client: Client, domain: TestDomain): Promise<Dnssec> {
  return bodyOf<Dnssec>(client.call('get', pathOf(domain)));
}

async function filledDomain(client: Client): Promise<TestDomain> {
  const domain = await newDomain(client);
  await domain.import(Array.from({ length: RECORDS }, (_, at) => `h${at} A 192.0.2.${at % 250}\n`).join(''));
  return domain;
}

/** A signed domain that is ready for a DS, with ttls of a second. */
async function readyDomain(client: Client, wish: object): Promise<TestDomain> {
  const domain = await newDomain(client, freshName(), { ttl: 1 });
  await enable(client, domain, wish);
  await until(async () => (await dnssecOf(client, domain)).state === 'ready');
  return domain;
}

/** Runs `act` `times` times, some calls concurrently. */
async function repeatedly(target: Target, times: number, act: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < times && !target.signal.aborted) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Delays until a small domain of another tenant is signed, and until its change is signed. */
async function promptDelays({ clients, signal }: Target): Promise<{ first: number; change: number }> {
  const client = clients.as('prompt');
  const domain = await newDomain(client);
  const published = async (serial: number): Promise<number> => {
    const began = performance.now();
    await until(async () => signal.aborted || ((await dnssecOf(client, domain)).published_serial ?? 0) >= serial);
    return performance.now() - began;
  };
  await enable(client, domain);
  const first = await published(1);
  await domain.newRecord();
  const { serial } = await bodyOf<{ serial: number }>(client.call('get', `/v1/domains/${domain.id}`));
  return { first, change: await published(serial) };
}

function mustBePrompt(target: Target, delays: Record<string, number>): void {
  target.note(delays);
  for (const [what, took] of Object.entries(delays))
    target.mustTake(took, LONGEST_DELAY, `another tenant waited too long for signatures (${what})`);
}

function countOf(target: Target, table: string, { id }: TestDomain): number {
  const [row] = lookInto(target.database, ({ rows }) =>
    rows<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table} WHERE zone_id = ?`, id),
  );
  return Number(row?.count);
}

describe('signing for the heaviest tenant', () => {
  it('23.1 does not delay others while many domains are signed and re-signed concurrently', async () => {
    const violations = await violationsUnder<readonly TestDomain[]>({
      name: 'many domains signed concurrently',
      settings: SETTINGS(),
      prepare: async (target) => {
        const domains: TestDomain[] = [];
        // A tenant has few imports at a time.
        while (domains.length < DOMAINS) domains.push(await filledDomain(target.clients.as('mallory')));
        return domains;
      },
      run: async (target, domains) => {
        const mallory = target.clients.as('mallory');
        await repeatedly(target, domains.length, (at) => enable(mallory, domains[at]!, { denial: 'nsec3' }));
        const whileFirst = await promptDelays(target);
        await repeatedly(target, domains.length * 3, (at) =>
          mallory.call('post', `${pathOf(domains[at % domains.length]!)}/resign`),
        );
        const { first, change } = await promptDelays(target);
        mustBePrompt(target, { ...whileFirst, firstWhileResigning: first, changeWhileResigning: change });
      },
    });
    expect(violations).toEqual([]);
  });

  it('23.9 does not delay others while RSA keys are generated repeatedly, and bounds the number of stored keys', async () => {
    const violations = await violationsUnder<readonly TestDomain[]>({
      name: 'rollovers again and again',
      settings: SETTINGS(),
      prepare: (target) => {
        const mallory = target.clients.as('mallory');
        return Promise.all(
          [{ algorithm: 'RSASHA256' }, { algorithm: 'RSASHA256' }, {}].map((wish) => readyDomain(mallory, wish)),
        );
      },
      run: async (target, domains) => {
        const mallory = target.clients.as('mallory');
        const statuses = new Set<number>();
        const roll = async (at: number): Promise<void> => {
          const domain = domains[at % domains.length]!;
          const { status, body } = await mallory.call('post', `${pathOf(domain)}/rollovers`, { key: 'csk' });
          statuses.add(status);
          await mallory.call('get', '/v1/dnssec/rollovers?limit=200');
          const { rollover } = body as Partial<Dnssec>;
          if (rollover) await mallory.call('delete', `${pathOf(domain)}/rollovers/${rollover.id}`);
        };
        const rolling = repeatedly(target, ROLLOVERS, roll);
        mustBePrompt(target, { ...(await promptDelays(target)) });
        await rolling;
        target.note({ statuses: [...statuses] });
        target.must(
          [...statuses].every((status) => [200, 409, 503].includes(status)),
          `the statuses are ${[...statuses].join(', ')}`,
        );
        for (const domain of domains) {
          const keys = countOf(target, 'zone_keys', domain);
          target.must(keys <= MOST_KEYS, `${keys} keys are kept of a domain`);
        }
      },
    });
    expect(violations).toEqual([]);
  });

  it('23.4 does not delay others while a signed domain changes continuously', async () => {
    const violations = await violationsUnder<TestDomain>({
      name: 'changes of a signed domain',
      settings: SETTINGS(),
      prepare: (target) => readyDomain(target.clients.as('mallory'), {}),
      run: async (target, domain) => {
        const changing = repeatedly(target, CHANGES, async (at) => {
          const { id } = await domain.newRecord({ name: domain.at(`n${at}`) });
          await domain.delete(id);
        });
        mustBePrompt(target, { ...(await promptDelays(target)) });
        await changing;
        const steps = countOf(target, 'signed_steps', domain);
        target.note({ steps });
        target.must(steps <= MOST_STEPS, `${steps} steps are kept of a domain`);
      },
    });
    expect(violations).toEqual([]);
  });

  it('23.19 does not delay others while responses for an offline KSK are sent repeatedly', async () => {
    const ksk = await newSigningKey(13);
    const violations = await violationsUnder<TestDomain>({
      name: 'signed key responses again and again',
      settings: SETTINGS(),
      prepare: async (target) => {
        const mallory = target.clients.as('mallory');
        const domain = await newDomain(mallory);
        await enable(mallory, domain, { offline_ksk: CDNSKEY.toText(ksk.dnskey) });
        return domain;
      },
      run: async (target, domain) => {
        const mallory = target.clients.as('mallory');
        const apex = DomainName.parse(domain.name);
        const path = `${pathOf(domain)}/key_request?days=180`;
        const { request } = await bodyOf<{ request: string }>(mallory.call('get', path));
        const requests = readRequests(request, apex);
        const statuses = new Set<number>();
        const sending = repeatedly(target, RESPONSES, async (at) => {
          await mallory.call('get', path);
          // Signatures of other times with each response.
          const later = requests.map((one) => ({ ...one, from: one.from + at }));
          const response = signRequests(apex, later, [ksk], 2_000_000, 'now');
          const sent = at % 2 === 0 ? response.repeat(Math.floor(900_000 / response.length)) : response;
          const { status } = await mallory.call('post', `${pathOf(domain)}/key_response`, { response: sent });
          statuses.add(status);
        });
        mustBePrompt(target, { ...(await promptDelays(target)) });
        await sending;
        target.note({ statuses: [...statuses] });
        target.must(
          [...statuses].every((status) => [200, 400, 409, 503].includes(status)),
          `the statuses are ${[...statuses].join(', ')}`,
        );
        const kept = countOf(target, 'key_signatures', domain);
        target.must(kept <= MOST_KEPT_SIGNATURES, `${kept} signatures are kept of a domain`);
      },
    });
    expect(violations).toEqual([]);
  });
});
