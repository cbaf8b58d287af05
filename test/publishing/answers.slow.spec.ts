import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { itWith, missingPackages, run } from '../support/run-program.js';
import { Pool, until } from './pool.js';
import { FOUR_SERVERS, NAMES } from './software.js';

const itOnFour = itWith(FOUR_SERVERS);
const itRectified = itWith({
  ...FOUR_SERVERS,
  needs: { ...FOUR_SERVERS.needs, sqlite3: 'sqlite3', pdnsutil: 'pdns-server' },
});
const CHANGES = 5;
const SETTINGS = { DEFAULT__QUOTA_RECORDSET_RECORDS: '200' };

let pool: Pool;
beforeAll(async () => {
  const servers = missingPackages(FOUR_SERVERS.needs).length > 0 ? [] : NAMES;
  pool = await Pool.start({ directory: await mkdtemp(join(tmpdir(), 'zonewright-')), servers, settings: SETTINGS });
});
afterAll(() => pool.stop());

/** The values that each server answers for the name, in one order. */
async function valuesOf(domain: TestDomain, label: string, type: string): Promise<Record<string, string>> {
  const answers = pool.servers.map(async ({ name, port }) => {
    const question = ['-p', String(port), '@127.0.0.1', '+norecurse', '+short', domain.at(label), type];
    const { stdout } = await run('dig', question);
    return [name, stdout.trim().split('\n').sort().join(' ')] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

interface States {
  readonly states: readonly string[];
  readonly errors: readonly (string | null)[];
}

/** How each server stands to the domain, in the order of `NAMES`. */
async function statesOf({ id }: TestDomain, query = ''): Promise<States> {
  const { servers } = await bodyOf<{ servers: { state: string; error: string | null }[] }>(
    pool.clients.call('get', `/v1/domains/${id}/publication${query}`),
  );
  return { states: servers.map(({ state }) => state), errors: servers.map(({ error }) => error) };
}

/** Record types that servers answer in a special way. */
const KINDS = `
alias CNAME www
www 300 A 192.0.2.1
*.wild TXT "any"
fixed.wild A 192.0.2.2
sub NS ns.sub
sub NS ns2.example.net.
ns.sub A 192.0.2.3
a.b.deep A 192.0.2.4
UPPER CNAME Target.EXAMPLE.net.
mail MX 10 Mail.Example.NET.
$GENERATE 1-60 big A 198.18.0.$
`;

const REFUSED = [
  [['--rate', '0'], '--rate "0": write a number from 1 to 100'],
  [['--after', '..'], '--after ".."'],
  [['example.org.', '--after', 'example.org.'], '--after goes with all domains'],
  [['unknown.example.'], 'there is no domain unknown.example.'],
] as const;

function onAll(value: string): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, value]));
}

describe('BIND, Knot, NSD and PowerDNS', () => {
  itOnFour(
    '12.2 answer for every record that a change of an unsigned zone has touched',
    async () => {
      const domain = await newDomain(pool.clients);
      await pool.syncNsd();
      await pool.served(domain);
      for (let at = 0; at < CHANGES; at++) {
        const { id } = await domain.newRecord({ name: domain.at(`h${at}`), data: `192.0.2.${at}` });
        await pool.served(domain);
        expect(await valuesOf(domain, `h${at}`, 'A')).toEqual(onAll(`192.0.2.${at}`));
        await answerOf(domain.update(id, { data: `192.0.2.${100 + at}` }));
        await pool.served(domain);
        expect(await valuesOf(domain, `h${at}`, 'A')).toEqual(onAll(`192.0.2.${100 + at}`));
      }
      for (let at = 0; at < CHANGES; at++)
        expect(await valuesOf(domain, `h${at}`, 'A')).toEqual(onAll(`192.0.2.${100 + at}`));
    },
    180_000,
  );

  itOnFour(
    '12.7 are current with every kind of record, and say no otherwise of deleted ones',
    async () => {
      const saidBefore = pool.said().length;
      const domain = await newDomain(pool.clients);
      await pool.syncNsd();
      await pool.served(domain);
      const current = NAMES.map(() => 'current');
      for (let round = 0; round < 4; round++) {
        await domain.import(KINDS, '?mode=replace');
        expect(await statesOf(domain, '?wait=20')).toEqual({ states: current, errors: NAMES.map(() => null) });
        await domain.import('*.wild TXT "other"\nx.a.b.deep A 192.0.2.5\nsub A 192.0.2.6\n', '?mode=replace');
        expect((await statesOf(domain, '?wait=20')).states).toEqual(current);
      }
      await delay(1000);
      expect((await statesOf(domain)).states).toEqual(current);
      expect(pool.said().slice(saidBefore)).not.toContain('gives other answers');
    },
    120_000,
  );

  itRectified(
    '12.7, 12.8 are inconsistent while a PowerDNS has IXFR switched on, and current once it is rectified',
    async () => {
      const domain = await newDomain(pool.clients);
      await pool.syncNsd();
      await pool.served(domain);
      const { directory } = pool.server('PowerDNS');
      const file = join(directory, 'pdns.sqlite3');
      const sql = (statement: string) => run('sqlite3', [file, `PRAGMA busy_timeout = 5000; ${statement}`]);
      await sql(
        "INSERT INTO domainmetadata (domain_id, kind, content) SELECT id, 'IXFR', '1' FROM domains WHERE type = 'SLAVE'",
      );
      const isInconsistent = async (): Promise<boolean> => {
        await domain.newRecord({ name: domain.at(`h${Math.random().toString(36).slice(2)}`) });
        await pool.served(domain);
        await delay(300);
        return (await statesOf(domain)).states[NAMES.indexOf('PowerDNS')] === 'inconsistent';
      };
      await until('PowerDNS is inconsistent', isInconsistent);
      const { errors } = await statesOf(domain);
      expect(errors[NAMES.indexOf('PowerDNS')]).toMatch(/^h\w+\.\S+ A: no data instead of 1 record$/);
      expect(await pool.command('zone', 'status', domain.name)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('inconsistent'),
      });
      const wrong = await pool.command('pool', 'check', domain.name);
      expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('pdnsutil rectify-all-zones') });
      const power = `127.0.0.1:${pool.server('PowerDNS').relay.port}`;
      expect(wrong.stdout.trim().split('\n')).toEqual([
        expect.stringMatching(
          new RegExp(`^${domain.name} on ${power}: wrong answers for \\d+ of \\d+ record sets?, such as h`),
        ),
        expect.stringMatching(/^checked 1 domain with \d+ record sets?$/),
      ]);
      await sql("DELETE FROM domainmetadata WHERE kind = 'IXFR'");
      const rectified = await run('pdnsutil', [`--config-dir=${directory}`, 'rectify-all-zones']);
      expect(rectified.failed).toBe(false);
      await domain.newRecord({ name: domain.at('last') });
      await until('PowerDNS is current', async () =>
        (await statesOf(domain)).states.every((state) => state === 'current'),
      );
      expect(await pool.command('pool', 'check', domain.name)).toMatchObject({ code: 0 });
    },
    120_000,
  );

  itOnFour(
    '12.5, 15.7 say by the state of BIND that a set has more records than it takes',
    async () => {
      const domain = await newDomain(pool.clients);
      await pool.syncNsd();
      await pool.served(domain);
      await domain.import('$GENERATE 1-101 many A 198.18.0.$\n');
      const others = pool.servers.filter(({ name }) => name !== 'BIND');
      await pool.served(domain, others);
      const wanted = NAMES.map((name) => (name === 'BIND' ? 'behind' : 'current'));
      await until('all but BIND have it', async () => String((await statesOf(domain)).states) === String(wanted));
      const bind = NAMES.indexOf('BIND');
      await until('the reason is named', async () =>
        ((await statesOf(domain)).errors[bind] ?? '').includes('max-records-per-type'),
      );
      expect((await statesOf(domain)).errors.filter((error) => error !== null)).toHaveLength(1);
      await answerOf(pool.clients.call('delete', `/v1/domains/${domain.id}`));
    },
    120_000,
  );
});

describe('12.8 zonewright pool check', () => {
  itOnFour(
    'finds nothing wrong with every kind of record, and continues behind a name',
    async () => {
      const domains = await Promise.all([newDomain(pool.clients), newDomain(pool.clients)]);
      await pool.syncNsd();
      for (const domain of domains) await domain.import(KINDS, '?mode=replace');
      await Promise.all(domains.map((domain) => pool.served(domain)));
      const all = await pool.command('pool', 'check');
      expect(all).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^checked \d+ domains with \d+ record sets?\n$/),
      });
      const [first = '', last = ''] = domains.map(({ name }) => name).sort();
      const named = await pool.command('pool', 'check', first, last);
      const [, sets = 0] = /^checked 2 domains with (\d+) record sets?$/m.exec(named.stdout) ?? [];
      expect(Number(sets)).toBeGreaterThan(20);
      const { stdout } = await pool.command('pool', 'check', '--after', last);
      expect(stdout).not.toBe(all.stdout);
      for (const [args, message] of REFUSED)
        expect(await pool.command('pool', 'check', ...args)).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(message),
        });
    },
    120_000,
  );

  itOnFour(
    'names a server that does not respond, and checks the remaining servers',
    async () => {
      const domain = await newDomain(pool.clients);
      await pool.syncNsd();
      await pool.served(domain);
      const knot = pool.server('Knot');
      await knot.stop();
      try {
        await domain.newRecord({ name: domain.at('more') });
        await pool.served(
          domain,
          pool.servers.filter(({ name }) => name !== 'Knot'),
        );
        const { code, stdout } = await pool.command('pool', 'check', domain.name);
        const [finding = '', ...others] = stdout.trim().split('\n');
        expect(finding).toContain(`${domain.name} on 127.0.0.1:${knot.relay.port}: not compared`);
        expect(others).toEqual([expect.stringMatching(/^checked 1 domain with \d+ record sets?$/)]);
        expect(code).toBe(1);
      } finally {
        await knot.start();
      }
    },
    120_000,
  );
});
