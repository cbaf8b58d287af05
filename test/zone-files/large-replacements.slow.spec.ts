import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody, RecordBody } from '../support/bodies.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { COUNT, creatingDuring, FILE, KEPT, LargeDomains, PATIENCE, textsOf } from '../support/large-domains.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { killAll, runCommand, startServiceProcess } from '../support/process.js';
import { seededAddress, seedRecords } from '../support/seed.js';
import { type Client, clientsOf, environmentOf, removeTestData, startTestService } from '../support/service.js';
import { executeIn } from '../support/stored.js';
import { applied } from '../support/transfers.js';
import { until } from '../support/until.js';

jest.setTimeout(300_000);

let large: LargeDomains;
let directory: string;
let database: string;
let settings: Record<string, string>;
let owner: Client;

beforeAll(async () => {
  large = await LargeDomains.start();
  ({ directory, database, settings, owner } = large);
});
afterAll(async () => {
  await large.service.stop();
  await removeTestData(directory);
});

interface LargeDomain {
  readonly domain: TestDomain;
  readonly ids: readonly string[];
}

async function largeDomain(): Promise<LargeDomain> {
  const domain = await newDomain(owner);
  return { domain, ids: seedRecords(database, domain.id, COUNT) };
}

const count = (sql: string): number => large.count(sql);
const isMoved = (domain: DomainBody): boolean => large.isMoved(domain);
const unseenRows = (): number => large.unseenRows();
const isStaged = (): boolean => large.isStaged();
const serialOf = async (domain: TestDomain): Promise<number> => (await domain.now()).serial;

it('18.14 a replacement of a large domain is one change', async () => {
  const { domain, ids } = await largeDomain();
  const other = await newDomain(large.service.as('other'));
  const copy = await large.transferOf(domain, MetaType.AXFR);
  const before = await serialOf(domain);
  const tag = (await answerOf(domain.get(ids[7]!))).headers.etag as string;
  const [counts, created] = await creatingDuring(other, domain.import(FILE, '?mode=replace'));
  expect(created).toBeGreaterThan(20);
  expect(counts).toMatchObject({ created: COUNT - KEPT, removed: COUNT - KEPT, unchanged: KEPT });
  if (!ON_POSTGRES) expect(isMoved(domain)).toBe(true);

  const [change] = await large.changesOf(domain);
  const after = await serialOf(domain);
  expect(change).toMatchObject({ serial: after, serial_before: before });
  expect(change!.records).toEqual({ created: COUNT - KEPT, updated: 0, deleted: COUNT - KEPT });
  const { headers } = await answerOf(domain.get(ids[7]!));
  expect(headers.etag).toBe(tag);
  await refusalOf(domain.get(ids[KEPT + 7]!), 404, 'record_not_found');
  const difference = await large.transferOf(domain, MetaType.IXFR, before);
  expect(difference.length).toBeGreaterThan(COUNT);
  const present = await large.transferOf(domain, MetaType.AXFR);
  expect(textsOf(applied(copy.slice(0, -1), difference))).toEqual(textsOf(present.slice(0, -1)));
  await until(() => unseenRows() === 0, PATIENCE);
  expect(count(`records WHERE name LIKE '%.${domain.name}'`)).toBe(COUNT);

  // The domain goes on as any other.
  const record = await domain.newRecord({ name: domain.at('www') });
  await answerOf(domain.update(record.id, { data: '192.0.2.77' }));
  const listed = await bodyOf<{ records: RecordBody[] }>(domain.list(`?name=${domain.at('www')}`));
  expect(listed.records).toMatchObject([{ id: record.id, domain_id: domain.id, data: '192.0.2.77' }]);
  const sets = `/v2/zones/${domain.id}/recordsets?name=${domain.at('www')}`;
  expect(await bodyOf(owner.call('get', sets))).toMatchObject({ recordsets: [{ zone_id: domain.id }] });
  await answerOf(domain.delete(record.id));
  const check = await runCommand(directory, environmentOf(directory, settings), ['check', '--fix']);
  expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('all counters agree') });

  // A merge moves them again; then all of it is undone.
  const merged = Array.from({ length: COUNT }, (_, at) => `m${at} A 192.0.2.9\n`).join('');
  expect(await domain.import(merged)).toMatchObject({ created: COUNT });
  await bodyOf(owner.call('post', `/v1/domains/${domain.id}/revert`, { serial: before }));
  const addresses = (await large.transferOf(domain, MetaType.AXFR)).filter(({ type }) => type === 1);
  expect(textsOf(addresses)).toEqual(textsOf(copy.filter(({ type }) => type === 1)));
  await answerOf(owner.call('delete', `/v1/domains/${domain.id}`));
  await until(() => unseenRows() === 0, PATIENCE);
  expect(count('moved_contents')).toBe(0);
  expect(count(`records WHERE name LIKE '%${domain.name}'`)).toBe(0);
  const restored = await bodyOf<DomainBody>(owner.call('post', `/v1/deleted-domains/${domain.id}/restore`));
  expect(
    textsOf((await large.transferOf(domainOf(owner, restored), MetaType.AXFR)).filter(({ type }) => type === 1)),
  ).toEqual(textsOf(addresses));
  await answerOf(owner.call('delete', `/v1/domains/${restored.id}`));
  audit(database);
});

it('18.14 a change of the domain meanwhile stays, and the import is prepared again', async () => {
  const { domain } = await largeDomain();
  const importing = domain.import(FILE, '?mode=replace');
  if (!ON_POSTGRES) await until(isStaged, PATIENCE);
  const created = await bodyOf(domain.create({ name: domain.at('mine'), type: 'TXT', data: 'kept' }));
  expect(await large.changesOf(domain)).toMatchObject([{ records: { created: 1 } }, {}, {}]);
  expect((await answerOf(domain.get(created.id))).status).toBe(200);
  const { removed } = await importing;
  expect(removed).toBe(COUNT - KEPT + 1);
  await refusalOf(domain.get(created.id), 404, 'record_not_found');
  expect((await large.changesOf(domain))[1]).toMatchObject({ records: { created: 1 } });
  await until(() => unseenRows() === 0, PATIENCE);
});

if (!ON_POSTGRES) {
  it('18.14 nothing of a change is seen while it is written', async () => {
    const { domain } = await largeDomain();
    const before = await serialOf(domain);
    const importing = domain.import(FILE, '?mode=replace');
    await until(() => isStaged() && count('journal') > 0 && count('incoming_zones WHERE renewals > 0') > 0, PATIENCE);
    const path = `/v1/domains/${domain.id}/history?limit=2`;
    const seen = await Promise.all([
      serialOf(domain),
      large.changesOf(domain),
      bodyOf<{ history: { serial: number }[] }>(owner.call('get', path)),
      bodyOf<{ changes: { domain: { id: string }; serial: number }[] }>(owner.call('get', '/v1/changes?limit=1')),
      bodyOf<{ records: RecordBody[] }>(domain.list('?limit=1')),
    ]);
    const wasStaged = isStaged();
    await importing;
    expect(wasStaged).toBe(true);
    const [serial, [latest], { history: entries }, { changes }, { records }] = seen;
    expect(serial).toBe(before);
    expect(latest).toMatchObject({ serial: before });
    expect(entries[0]).toMatchObject({ serial: before });
    expect(changes).toMatchObject([{ serial: before }]);
    expect(records).toMatchObject([{ data: seededAddress(0) }]);
    await until(() => unseenRows() === 0, PATIENCE);
  });

  it('18.14 a domain can be deleted while its new contents are written', async () => {
    const { domain } = await largeDomain();
    const importing = refusalOf(domain.sendFile(FILE, '?mode=replace'), 404, 'domain_not_found');
    await until(isStaged, PATIENCE);
    await answerOf(owner.call('delete', `/v1/domains/${domain.id}`));
    const { history } = await bodyOf<{ history: { action: string }[] }>(
      owner.call('get', `/v1/domains/${domain.id}/history?limit=1`),
    );
    expect(history).toMatchObject([{ action: 'domain.delete' }]);
    await importing;
    await until(() => unseenRows() === 0, PATIENCE);
    expect(count(`records WHERE name LIKE '%${domain.name}'`)).toBe(0);
  });

  it('18.14 a quota that is lowered meanwhile refuses the import', async () => {
    const tenant = large.service.as('frugal');
    const domain = await newDomain(tenant);
    seedRecords(database, domain.id, COUNT / 2);
    const before = await serialOf(domain);
    const importing = refusalOf(domain.sendFile(FILE), 413, 'over_quota');
    await until(isStaged, PATIENCE);
    await answerOf(large.service.call('patch', '/admin/quotas/frugal', { quota: { zone_records: COUNT } }));
    await importing;
    expect(await serialOf(domain)).toBe(before);
    await until(() => unseenRows() === 0, PATIENCE);
  });

  it('18.15 a domain keeps its place until the schema is contracted', async () => {
    const { domain } = await largeDomain();
    const contraction = "name = 'ContractOwnContents1764480000000'";
    executeIn(database, `UPDATE migrations SET name = 'away' WHERE ${contraction}`);
    expect(await domain.import(FILE, '?mode=replace')).toMatchObject({ removed: COUNT - KEPT });
    executeIn(database, "UPDATE migrations SET name = 'ContractOwnContents1764480000000' WHERE name = 'away'");
    expect(isMoved(domain)).toBe(false);
  });

  it('18.15 a process that is killed leaves all of a change or nothing', async () => {
    const { domain } = await largeDomain();
    const before = await serialOf(domain);
    await large.service.stop();
    const env = environmentOf(directory, settings);
    await writeFile(join(directory, 'large.zone'), FILE);
    for (const moment of [0, 200]) {
      const killed = await startServiceProcess(directory, env);
      const client = domainOf(clientsOf(killed.url).as('acme'), domain);
      const importing = client.sendFile(FILE, '?mode=replace').catch(() => undefined);
      void importing.then(() => undefined);
      await until(() => isStaged() || count(`moved_contents WHERE zone = '${domain.id}'`) > 0, PATIENCE);
      await new Promise((resolve) => setTimeout(resolve, moment));
      killAll(killed);
      await killed.ended;
      await importing;
      audit(database);
      if (isMoved(domain)) break;
    }
    large.service = await startTestService(settings, directory);
    ({ owner } = large);
    const again = domainOf(owner, domain);
    await until(() => unseenRows() === 0, PATIENCE);
    if (!isMoved(domain)) {
      expect(await serialOf(again)).toBe(before);
      expect(count(`journal WHERE zone_id = '${domain.id}'`)).toBe(COUNT + 1);
    }
    await again.import(FILE, '?mode=replace');
    expect(isMoved(domain)).toBe(true);
    audit(database);
  });

  it('18.14 a backup has the records of moved contents', async () => {
    await until(() => unseenRows() === 0, PATIENCE);
    const env = environmentOf(directory, settings);
    expect(await runCommand(directory, env, ['backup', 'copy.sqlite'])).toMatchObject({ code: 0 });
    audit(join(directory, 'copy.sqlite'));
  });
}

it('18.14 two large imports into one domain are two changes', async () => {
  const domain = await newDomain(owner, freshName());
  const file = (label: string): string =>
    Array.from({ length: COUNT / 2 }, (_, at) => `${label}${at} A 192.0.2.1\n`).join('');
  const results = await Promise.all(['a', 'b'].map((label) => domain.import(file(label))));
  expect(results.map(({ created }) => created)).toEqual([COUNT / 2, COUNT / 2]);
  expect(await large.changesOf(domain)).toMatchObject([
    { records: { created: COUNT / 2 } },
    { records: { created: COUNT / 2 } },
    {},
  ]);
  await until(() => unseenRows() === 0, PATIENCE);
});
