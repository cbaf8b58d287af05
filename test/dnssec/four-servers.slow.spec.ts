import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Pool } from '../publishing/pool.js';
import { FOUR_SERVERS, NAMES } from '../publishing/software.js';
import { answerOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import type { NameServer } from '../support/name-servers/name-servers.js';
import { times } from '../support/length.js';
import { itWith, missingPackages, run } from '../support/run-program.js';
import { until } from '../support/until.js';

const PROGRAMS = { ...FOUR_SERVERS, needs: { ...FOUR_SERVERS.needs, delv: 'bind9-dnsutils' } };
const itOnFour = itWith(PROGRAMS);
const CHANGES = times(3, 100);
/** Name servers take no longer for a change, in seconds. */
const PATIENCE = 30;

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
  readonly keys: readonly { readonly flags: number; readonly dnskey: string }[];
}

async function signedDomain(denial: string): Promise<TestDomain> {
  const domain = await newDomain(pool.clients, freshName(), { ttl: 1 });
  await domain.import(
    'www A 192.0.2.1\nwww AAAA 2001:db8::1\n*.wild A 192.0.2.2\ndeep.er.down TXT x\nsub NS ns1.example.net.\n',
  );
  await pool.syncNsd();
  await answerOf(pool.clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true, denial }));
  await until(async () => (await dnssecOf(domain)).state === 'ready');
  await published(domain);
  return domain;
}

async function dnssecOf({ id }: TestDomain): Promise<Dnssec> {
  return (await answerOf(pool.clients.call('get', `/v1/domains/${id}/dnssec`))).body as Dnssec;
}

async function published({ id }: TestDomain): Promise<void> {
  const { body } = await answerOf(pool.clients.call('get', `/v1/domains/${id}/publication?wait=${PATIENCE}`));
  expect(body).toMatchObject({ published: true });
}

/** Verdicts of a validating resolver with the domain's keys as trust anchors, for each query to one server. */
async function verdictsOf(domain: TestDomain, { port }: NameServer, questions: readonly Question[]): Promise<string[]> {
  const anchors = join(directory, `${domain.id}.anchors`);
  const entries = (await dnssecOf(domain)).keys.filter(({ flags }) => flags === 257);
  const lines = entries.map(({ dnskey }) => `"${domain.name}" static-key ${dnskey.replace(/(\S+)$/, '"$1"')};`);
  await writeFile(anchors, `trust-anchors { ${lines.join(' ')} };\n`);
  const ask = async ([name, type]: Question): Promise<string> => {
    const trust = ['-a', anchors, `+root=${domain.name}`];
    const { output } = await run('delv', ['@127.0.0.1', '-p', String(port), ...trust, '-t', type, name]);
    return `${name} ${type}: ${/(?:fully validated|unsigned answer)$/m.exec(output)?.[0] ?? output}`;
  };
  return Promise.all(questions.map(ask));
}

type Question = readonly [name: string, type: string];

function questionsOf(domain: TestDomain): Question[] {
  return [
    [domain.name, 'SOA'],
    [domain.name, 'CDS'],
    [domain.at('www'), 'AAAA'],
    [domain.at('www'), 'TXT'],
    [domain.at('none'), 'A'],
    [domain.at('any.wild'), 'A'],
    [domain.at('any.wild'), 'TXT'],
    [domain.at('er.down'), 'A'],
    [domain.at('deep.er.down'), 'TXT'],
    [domain.at('sub'), 'DS'],
  ];
}

describe.each(['nsec', 'nsec3'])('with %s', (denial) => {
  itOnFour(
    '23.4: BIND, Knot, NSD and PowerDNS give answers that validate, also after each change',
    async () => {
      const domain = await signedDomain(denial);
      await expectValid(domain, questionsOf(domain));
      for (let at = 0; at < CHANGES; at += 1) {
        const { id } = await domain.newRecord({ name: domain.at(`n${at}.new`) });
        await published(domain);
        await expectValid(domain, [
          [domain.at(`n${at}.new`), 'A'],
          [domain.at(`n${at}.new`), 'AAAA'],
          [domain.at(`m${at}.new`), 'A'],
          [domain.at('new'), 'A'],
        ]);
        if (at % 2 === 0) await answerOf(domain.delete(id));
      }
      await published(domain);
      await expectValid(domain, questionsOf(domain));
    },
    240_000,
  );
});

async function expectValid(domain: TestDomain, questions: readonly Question[]): Promise<void> {
  for (const server of pool.servers) {
    const wanted = questions.map(([name, type]) => `${name} ${type}: fully validated`);
    expect([server.name, ...(await verdictsOf(domain, server, questions))]).toEqual([server.name, ...wanted]);
  }
}
