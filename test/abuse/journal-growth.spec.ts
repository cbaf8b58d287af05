import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { killAll, runCommand, startServiceProcess } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { clientsOf, databaseFileIn, startTestService, type TestService } from '../support/service.js';
import { isPostgresUrl, lookInto } from '../support/stored.js';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { sizeOfDatabase } from './database-size.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { makeLargeDomain } from './large-domains.js';
import { compileLibcTrouble } from './libc-trouble.js';
import { changesPerMinute, deletedHistoryDays, historyDays } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const trouble = compileLibcTrouble();
const DAY = 86_400;

/** The good client makes about 1,000. */
const CHANGES_A_MINUTE = 1500;
const MORE_THAN_A_MINUTE = 1600;

/** Disk growth that one tenant may cause within seconds, in MiB; without a limit it was 63 each second. */
const MOST_GROWTH = 64;

/** Text that no database can compress. */
function textOf(octets: number): string {
  return randomBytes(octets).toString('base64url').slice(0, octets);
}

describe('one record changed in a loop', () => {
  const flood = (target: Target, id: string, record: string, octets: number, times: number) =>
    target.flood({
      kind: 'requests',
      parallel: 8,
      times,
      method: 'PUT',
      path: `/v1/domains/${id}/records/${record}`,
      headers: { ...MALLORY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: `%n ${textOf(octets)}` }),
    });

  it('does not fill the disk: writes of a tenant are limited', async () => {
    const violations = await violationsUnder({
      name: 'one record of 60 kB changed in a loop',
      prepare: (target) => makeLargeDomain(target, 'mallory', 1),
      run: async (target, { id, ids: [record] }) => {
        const before = await sizeOfDatabase(target.database);
        const attack = flood(target, id, String(record), 60_000, inForm(200, 100_000));
        await Promise.race([attack.ended, target.hold(inForm(30_000, 10_000))]);
        const report = await attack.end();
        const growth = (await sizeOfDatabase(target.database)) - before;
        target.note({ grownMiB: growth, ...report });
        target.must(growth < MOST_GROWTH, `the database grew by ${Math.round(growth)} MiB`);
        target.must((report.statuses['429'] ?? 0) > 0, `the answers were ${JSON.stringify(report.statuses)}`);
      },
    });
    expect(violations).toEqual([]);
  });

  it('is refused with 429 and Retry-After beyond the changes that a tenant has, and others go on', async () => {
    const violations = await violationsUnder({
      name: 'more changes than a tenant has',
      settings: {
        ...changesPerMinute(CHANGES_A_MINUTE),
        DEFAULT__QUOTA_ZONE_RECORDS: '10000',
        DEFAULT__QUOTA_ZONE_RECORDSETS: '10000',
      },
      prepare: (target) => makeLargeDomain(target, 'mallory', 1),
      run: async (target, { id, ids: [record] }) => {
        const start = performance.now();
        const { statuses } = await flood(target, id, String(record), 10, 3000).ended;
        target.note({ statuses });
        const allowed = CHANGES_A_MINUTE * (1 + (performance.now() - start) / 60_000);
        target.must(Number(statuses['200']) <= allowed, `the answers were ${JSON.stringify(statuses)}`);
        // A slow machine gets changes back as fast as it makes them one by one, but not as fast as whole files.
        const sendFile = (label: string) =>
          target.clients
            .as('mallory')
            .call('post', `/v1/domains/${id}/import`)
            .set('Content-Type', 'text/dns')
            .send(`$GENERATE 1-${MORE_THAN_A_MINUTE} ${label}$ A 192.0.2.1\n`);
        let answer = await sendFile('first');
        for (const label of ['second', 'third']) if (answer.status === 200) answer = await sendFile(label);
        target.must(answer.status === 429, `one more was answered ${answer.status}`);
        target.must(/^[1-9]\d*$/.test(String(answer.headers['retry-after'])), 'Retry-After is missing');
        target.must(answer.body.type === 'rate_limited', `the type is ${String(answer.body.type)}`);
      },
    });
    expect(violations).toEqual([]);
  });
});

describe('a row of the journal', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.stop());

  it('holds a record once, with hexadecimal RDATA, after any change', async () => {
    const member = service.as('tenant-a');
    const body = { name: 'journal.example.org.', email: 'hostmaster@example.org' };
    const { id } = await bodyOf<{ id: string }>(member.call('post', '/v1/domains', body));
    const record = { name: `txt.${body.name}`, type: 'TXT', data: 'x'.repeat(50_000) };
    const made = await answerOf(member.call('post', `/v1/domains/${id}/records`, record));
    expect(octetsJournaled(service.databaseFile, made.headers)).toBeLessThan(4 * 50_000);
    const changed = await answerOf(member.call('put', `/v1/domains/${id}/records/${made.body.id}`, { ttl: 60 }));
    expect(octetsJournaled(service.databaseFile, changed.headers)).toBeLessThan(4 * 50_000);
  });
});

describe('the history', () => {
  itWith(trouble.needs)('older than history_days goes, while changes go on', async () => {
    const violations = await violationsUnder({
      name: 'old history removed',
      settings: historyDays(30),
      isHistoryCut: true,
      seed: (directory, env) => changeLongAgo(directory, env, inForm(2000, 20_000), 40),
      run: async (target) => {
        const gone = await waitUntil(target, () => rowsBefore(target.database, 35) === 0);
        target.note({ oldRows: rowsBefore(target.database, 35), removedAfter: gone });
        target.must(gone !== null, 'what is older than 30 days is still there');
      },
    });
    expect(violations).toEqual([]);
  });

  itWith(trouble.needs)('of a deleted domain expires by its own retention; other journals stay', async () => {
    const violations = await violationsUnder({
      name: 'history of deleted domains removed',
      settings: deletedHistoryDays(7),
      seed: async (directory, env) => {
        await changeLongAgo(directory, env, 20, 40);
        await deleteLongAgo(directory, env, 40);
      },
      run: async (target) => {
        const of = (name: string): number => rowsAbout(target.database, name);
        const gone = await waitUntil(target, () => of('deleted.example.org') === 0);
        target.must(gone !== null, 'the history of the deleted domain is still there');
        target.must(of('old.example.org') > 0, 'the history of another domain was deleted');
      },
    });
    expect(violations).toEqual([]);
  });

  /** Leaves a domain old.example.org with `records` records, all changed `days` days ago. */
  async function changeLongAgo(
    directory: string,
    env: Record<string, string>,
    records: number,
    days: number,
  ): Promise<void> {
    const file = join(directory, 'old.example.org.zone');
    await writeFile(file, Array.from({ length: records }, (_, at) => `h${at} 3600 IN A 192.0.2.1\n`).join(''));
    const then = { ...env, ...trouble.clock(-days * DAY) };
    for (const command of [['migrate'], ['zone', 'import', file, '--create', '--email', 'h@example.org']]) {
      const { code, stderr } = await runCommand(directory, then, command);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
  }

  async function deleteLongAgo(directory: string, env: Record<string, string>, days: number): Promise<void> {
    const service = await startServiceProcess(directory, { ...env, ...trouble.clock(-days * DAY) });
    const member = clientsOf(service.url).as(`tenant-${randomUUID()}`);
    const body = { name: 'deleted.example.org.', email: 'hostmaster@example.org' };
    const { id } = await bodyOf<{ id: string }>(member.call('post', '/v1/domains', body));
    await answerOf(member.call('delete', `/v1/domains/${id}`));
    killAll(service);
    await service.ended;
    expect(rowsAbout(databaseFileIn(directory), 'deleted.example.org')).toBeGreaterThan(0);
  }
});

const LONGEST_CLEANING = inForm(20_000, 60_000);

/** How long that took in milliseconds, `null` when it did not happen. */
async function waitUntil({ signal }: Target, isThere: () => boolean): Promise<number | null> {
  const start = performance.now();
  while (!isThere()) {
    if (signal.aborted || performance.now() - start > LONGEST_CLEANING) return null;
    await delay(500);
  }
  return performance.now() - start;
}

/** Journal rows older than `days` days. */
function rowsBefore(database: string, days: number): number {
  const instant = (Date.now() - days * DAY * 1000) * 1000;
  return lookInto(database, ({ rows }) =>
    rows<{ count: number }>('SELECT COUNT(*) AS count FROM journal WHERE at < ?', instant),
  )[0]!.count;
}

/** Rows of the journal that name something. */
function rowsAbout(database: string, name: string): number {
  const all = lookInto(database, ({ rows }) => rows('SELECT * FROM journal'));
  return all.filter((row) => JSON.stringify(row).includes(name)).length;
}

/** Octets of text that the request added to the journal. */
function octetsJournaled(database: string, headers: Readonly<Record<string, string>>): number {
  const all = lookInto(database, ({ rows }) =>
    rows('SELECT * FROM journal WHERE request_id = ?', headers['x-openstack-request-id']),
  );
  expect(all.length).toBeGreaterThan(0);
  expect(isPostgresUrl(database) || all.length === 1).toBe(true);
  return JSON.stringify(all).length;
}
