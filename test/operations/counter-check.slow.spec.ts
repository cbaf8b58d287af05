import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { lookInto } from '../support/stored.js';
import { startWriting } from './writing.js';

let directory: string;
let service: TestService;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-counters-'));
  service = await startTestService({}, directory);
});
afterEach(async () => {
  await service.stop();
  audit(service.databaseFile);
  await removeTestData(directory);
});

const zonewright = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);
const damage = (...statements: string[]): void => {
  for (const statement of statements) storeRows(service.databaseFile, {}, statement);
};

/** The end of the output after the database report. */
const ALL_AGREE: unknown = expect.stringMatching(/^[^\n]+\nall counters agree with what they count\n$/);

async function domainWithRecords(): Promise<TestDomain> {
  const domain = await newDomain(service);
  for (const [label, type, data] of [
    ['one', 'A', '192.0.2.1'],
    ['one', 'A', '192.0.2.2'],
    ['two', 'A', '192.0.2.1'],
    ['three', 'TXT', 'text'],
    ['four', 'TXT', 'text'],
  ] as const)
    await bodyOf(domain.create({ name: domain.at(label), type, data }));
  return domain;
}

describe('17.4 zonewright check', () => {
  it('reports each wrong counter with its difference, and --fix repairs it', async () => {
    const { id } = await domainWithRecords();
    const ofDomain = `zone_id = '${id}'`;
    damage(
      `UPDATE record_sets SET record_count = 9 WHERE ${ofDomain} AND name LIKE 'one.%'`,
      `UPDATE record_sets SET octets = 9 WHERE ${ofDomain} AND name LIKE 'two.%'`,
      `UPDATE record_sets SET ttl = 9 WHERE ${ofDomain} AND name LIKE 'three.%'`,
      `DELETE FROM record_sets WHERE ${ofDomain} AND name LIKE 'four.%'`,
      `INSERT INTO record_sets (zone_id, owner_key, type, id, name, version, created_at, record_count, octets)` +
        ` VALUES ('${id}', 'nobody', 'A', 'of-nobody', 'nobody.', 1, 0, 1, 4)`,
      `INSERT INTO record_sets (zone_id, owner_key, type, id, name, version, created_at, record_count, octets, annotations)` +
        ` VALUES ('${id}', 'kept', 'A', 'kept', 'kept.', 1, 0, 2, 4, '{"comments":[],"disabled":[]}')`,
      `UPDATE zones SET record_count = 8, record_set_count = 7 WHERE id = '${id}'`,
      'UPDATE tenants SET zone_count = 6',
    );
    const found = await zonewright('check');
    expect(found).toMatchObject({ code: 1, stderr: 'zonewright: 9 wrong; zonewright check --fix repairs them\n' });
    const lines = found.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/".*"/, '…'))).toEqual(
      expect.arrayContaining([
        'record_sets …: stored 9, counted 2',
        'record_sets …: stored null, counted 1',
        'record_sets …: stored 1, counted null',
        'record_sets …: stored 2, counted null',
        'zones.record_count …: stored 8, counted 5',
        'zones.record_set_count …: stored 7, counted 5',
        'tenants.zone_count …: stored 6, counted 1',
      ]),
    );
    const fixed = await zonewright('check', '--fix');
    expect(fixed).toEqual({ code: 0, stdout: `${found.stdout}repaired 9\n`, stderr: '' });
    expect(await zonewright('check')).toMatchObject({ code: 0, stdout: ALL_AGREE });
    // The columns next to a count survive its reset.
    const kept = lookInto(service.databaseFile, (stored) =>
      stored.rows(`SELECT owner_key FROM record_sets WHERE ${ofDomain} AND record_count = 0`),
    );
    expect(kept).toEqual([{ owner_key: 'kept' }]);
  });

  it('17.4, 19.10 also repairs webhook queue counters', async () => {
    damage(
      "INSERT INTO webhook_usage (webhook_id, waiting, dead, octets) VALUES ('gone', 1, 2, 3)",
      "INSERT INTO webhook_tenants (tenant_id, octets) VALUES ('acme', 4)",
    );
    const found = await zonewright('check');
    expect(found).toMatchObject({ code: 1, stderr: 'zonewright: 4 wrong; zonewright check --fix repairs them\n' });
    expect(found.stdout.trimEnd().split('\n').slice(1)).toEqual([
      'webhook_usage.waiting "gone": stored 1, counted 0',
      'webhook_usage.dead "gone": stored 2, counted 0',
      'webhook_usage.octets "gone": stored 3, counted 0',
      'webhook_tenants.octets "acme": stored 4, counted 0',
    ]);
    expect(await zonewright('check', '--fix')).toMatchObject({ code: 0, stderr: '' });
    expect(await zonewright('check')).toMatchObject({ code: 0, stdout: ALL_AGREE });
  });

  it('creates a missing tenant row', async () => {
    const { id } = await newDomain(service);
    damage('DELETE FROM tenants');
    expect((await zonewright('check')).stdout).toMatch(/\ntenants.zone_count ".+": stored null, counted 1\n$/);
    expect(await zonewright('check', '--fix')).toMatchObject({ code: 0 });
    expect((await bodyOf<DomainBody>(service.call('get', `/v1/domains/${id}`))).id).toBe(id);
  });

  it('finds no fault and refuses no request during concurrent changes of the counters', async () => {
    const domains = await Promise.all([domainWithRecords(), domainWithRecords()]);
    await whileWriting(domains, async () => {
      for (const args of [['check'], ['check', '--fix']])
        expect(await zonewright(...args)).toMatchObject({
          code: 0,
          stdout: ALL_AGREE,
        });
    });
  });

  it('--fix repairs counters that the service changes meanwhile', async () => {
    const domain = await domainWithRecords();
    damage(
      'UPDATE record_sets SET record_count = record_count + 1, octets = octets + 4',
      'UPDATE zones SET record_count = record_count + 5, record_set_count = record_set_count + 3',
    );
    await whileWriting([domain], async () => {
      expect(await zonewright('check', '--fix')).toMatchObject({ code: 0, stderr: '' });
    });
  });
});

async function whileWriting(domains: readonly TestDomain[], work: () => Promise<void>): Promise<void> {
  const writings = domains.map(startWriting);
  try {
    await work();
  } finally {
    for (const writing of writings) await writing.end();
  }
}
