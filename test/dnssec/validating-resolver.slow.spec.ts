import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Pool } from '../publishing/pool.js';
import { FOUR_SERVERS, NAMES } from '../publishing/software.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { itWith, missingPackages } from '../support/run-program.js';
import { until } from '../support/until.js';
import { UNBOUND, ValidatingResolver } from '../support/validating-resolver.js';

const PROGRAMS = { name: 'unbound', needs: { ...FOUR_SERVERS.needs, ...UNBOUND.needs } };
const itWithUnbound = itWith(PROGRAMS);
const TIMEOUT = 240_000;
/** TTL of all records in seconds, so that waits are short. */
const SECOND = 1;
/** A zone that no name server here has. */
const ELSEWHERE = 'elsewhere.example.net';

let directory: string;
let pool: Pool;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  const settings = {
    SERVICE_CENTRAL__SOA_MINIMUM: '1',
    ...DNSSEC_ON,
  };
  const servers = missingPackages(PROGRAMS.needs).length > 0 ? [] : NAMES;
  pool = await Pool.start({ directory, servers, settings });
});
afterAll(() => pool.stop());

interface Dnssec {
  readonly state: string;
  readonly waits_for: string | null;
  readonly ds: readonly string[];
  readonly rollover: { readonly step: string } | null;
}

/** A signed domain inside a signed domain, each with its chain from the parent's key. */
interface Family {
  readonly parent: TestDomain;
  readonly child: TestDomain;
}

function dnssecOf({ id }: TestDomain): Promise<Dnssec> {
  return bodyOf<Dnssec>(pool.clients.call('get', `/v1/domains/${id}/dnssec`));
}

async function post({ id }: TestDomain, what: string, body: object): Promise<void> {
  await answerOf(pool.clients.call('post', `/v1/domains/${id}/dnssec/${what}`, body));
}

async function published({ id }: TestDomain): Promise<void> {
  const publication = pool.clients.call('get', `/v1/domains/${id}/publication?wait=30`);
  expect(await bodyOf(publication)).toMatchObject({ published: true });
}

async function family(wish: object): Promise<Family> {
  const name = freshName();
  const ttl = SECOND;
  const parent = await newDomain(pool.clients, name, { ttl });
  const child = await newDomain(pool.clients, `child.${name}`, { ttl });
  await parent.newRecord({ name: child.name, type: 'NS', data: 'ns1.example.net.' });
  await child.import('www A 192.0.2.1\n*.wild TXT x\ndeep.er.down TXT x\n');
  await pool.syncNsd();
  for (const { id } of [parent, child])
    await answerOf(pool.clients.call('put', `/v1/domains/${id}/dnssec`, { enabled: true, ...wish }));
  for (const domain of [parent, child])
    await until(async () => ['ready', 'secure'].includes((await dnssecOf(domain)).state));
  return { parent, child };
}

/** The parent, which is here as well, has the DS of the child's present key on all of its name servers. */
async function secured({ child }: Family): Promise<void> {
  await until(async () => (await dnssecOf(child)).state === 'secure');
}

async function rolled({ child }: Family, wish: object): Promise<void> {
  await post(child, 'rollovers', wish);
  await until(async () => (await dnssecOf(child)).rollover === null);
}

/** Each resolver queries a different name server. */
async function resolversOf({ parent, child }: Family): Promise<ValidatingResolver[]> {
  const [ds = ''] = (await dnssecOf(parent)).ds;
  const plan = {
    directory,
    anchor: `${parent.name} IN DS ${ds}`,
    zones: [parent, child].map(({ name }) => name.slice(0, -1)),
  };
  return Promise.all(
    pool.servers.map(({ port }) => ValidatingResolver.start({ ...plan, servers: [`127.0.0.1@${port}`] })),
  );
}

function questionsOf({ parent, child }: Family): (readonly [name: string, type: string])[] {
  return [
    [parent.name, 'SOA'],
    [child.name, 'SOA'],
    [child.at('www'), 'A'],
    [child.at('www'), 'MX'],
    [child.at('none'), 'A'],
    [child.at('any.wild'), 'TXT'],
    [child.at('er.down'), 'A'],
  ];
}

async function verdictsOf(resolvers: readonly ValidatingResolver[], of: Family): Promise<string[]> {
  const asked = resolvers.map(async (resolver, at) => {
    const verdicts = await Promise.all(
      questionsOf(of).map(async ([name, type]) => `${name} ${type}: ${await resolver.verdictOn(name, type)}`),
    );
    return verdicts.map((verdict) => `${pool.servers[at]!.name}: ${verdict}`);
  });
  return (await Promise.all(asked)).flat();
}

/** Queries continuously and collects bogus answers. The caller checks that all queries succeed in the end. */
function watching(
  resolvers: readonly ValidatingResolver[],
  of: Family,
): { readonly bogus: readonly string[]; end(): Promise<void> } {
  const bogus: string[] = [];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted)
      bogus.push(...(await verdictsOf(resolvers, of)).filter((verdict) => verdict.endsWith(': bogus')));
  })();
  return {
    bogus,
    end: async () => {
      over.abort();
      await asking;
    },
  };
}

/** They trust a key that the child does not have. */
async function strangersTo({ child }: Family): Promise<ValidatingResolver[]> {
  const [ds = ''] = (await dnssecOf(child)).ds;
  const anchor = `${child.name} IN DS ${ds.replace(/[0-9a-f]{8}$/, '00000000')}`;
  const plan = { directory, anchor, zones: [child.name.slice(0, -1)] };
  return Promise.all(
    pool.servers.map(({ port }) => ValidatingResolver.start({ ...plan, servers: [`127.0.0.1@${port}`] })),
  );
}

/** It asks for a zone where that is not known, which is no fault of signatures. */
async function strandedBehind({ parent }: Family): Promise<ValidatingResolver> {
  const [ds = ''] = (await dnssecOf(parent)).ds;
  const [server] = pool.servers;
  const plan = { directory, anchor: `${ELSEWHERE} IN DS ${ds}`, zones: [ELSEWHERE] };
  return ValidatingResolver.start({ ...plan, servers: [`127.0.0.1@${server!.port}`] });
}

async function stopAll(resolvers: readonly ValidatingResolver[]): Promise<void> {
  await Promise.all(resolvers.map((resolver) => resolver.stop()));
}

function isSecure(verdict: string): boolean {
  return verdict.endsWith(': secure');
}

async function expectSecure(resolvers: readonly ValidatingResolver[], of: Family): Promise<void> {
  const faults = (await verdictsOf(resolvers, of)).filter((verdict) => !isSecure(verdict));
  expect([...faults, ...(faults.length > 0 ? resolvers.map(({ log }) => log.slice(-2000)) : [])]).toEqual([]);
}

describe('unbound, behind a signed parent zone', () => {
  itWithUnbound(
    '23.3, 23.4, 23.9, 23.11: finds no answer bogus, of any of four name servers, from the first DS over a rollover to the end of signing',
    async () => {
      const of = await family({ denial: 'nsec' });
      const { child } = of;
      const resolvers = await resolversOf(of);
      const watch = watching(resolvers, of);
      try {
        await secured(of);
        await until(async () => (await verdictsOf(resolvers, of)).every(isSecure));

        await rolled(of, { key: 'csk' });
        await expectSecure(resolvers, of);

        await answerOf(pool.clients.call('put', `/v1/domains/${child.id}/dnssec`, { enabled: false }));
        expect(await dnssecOf(child)).toMatchObject({ state: 'leaving' });
        await until(async () => (await dnssecOf(child)).state === 'insecure');
        await published(child);
        await until(async () =>
          (await verdictsOf(resolvers, of)).every((text) => text.includes(child.name) === text.endsWith(': insecure')),
        );
      } finally {
        await watch.end();
        await stopAll(resolvers);
      }
      expect(watch.bogus).toEqual([]);
    },
    TIMEOUT,
  );

  itWithUnbound(
    '23.9, 23.11: finds no answer bogus while a domain gets keys of another algorithm, though it insists on all that a DS names',
    async () => {
      const of = await family({ algorithm: 'RSASHA256', single_key: false });
      const resolvers = await resolversOf(of);
      const watch = watching(resolvers, of);
      try {
        await secured(of);
        await until(async () => (await verdictsOf(resolvers, of)).every(isSecure));
        await rolled(of, { key: 'algorithm', algorithm: 'ECDSAP256SHA256' });
        await expectSecure(resolvers, of);
      } finally {
        await watch.end();
        await stopAll(resolvers);
      }
      expect(watch.bogus).toEqual([]);
    },
    TIMEOUT,
  );

  itWithUnbound(
    '23.4: validates NSEC3 denials as secure, and everything behind a DS of another key as bogus',
    async () => {
      const of = await family({ denial: 'nsec3' });
      const [resolvers, strangers, stranded] = [await resolversOf(of), await strangersTo(of), await strandedBehind(of)];
      try {
        await secured(of);
        await until(async () => (await verdictsOf(resolvers, of)).every(isSecure));
        const verdicts = await Promise.all(strangers.map((resolver) => resolver.verdictOn(of.child.at('www'), 'A')));
        expect(new Set(verdicts)).toEqual(new Set(['bogus']));
        expect(await stranded.verdictOn(`${ELSEWHERE}.`, 'A')).toMatch(/^no answer: .*SERVFAIL/s);
      } finally {
        await stopAll([...resolvers, ...strangers, stranded]);
      }
    },
    TIMEOUT,
  );
});
