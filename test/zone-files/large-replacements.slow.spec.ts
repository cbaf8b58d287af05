import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody, RecordBody } from '../support/bodies.js';
import { transfer } from '../support/dns-client.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { killAll, runCommand, startServiceProcess } from '../support/process.js';
import { seededAddress, seedRecords } from '../support/seed.js';
import { type Client, clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { startTestService, type TestService } from '../support/service.js';
import { executeIn, lookInto } from '../support/stored.js';
import { applied } from '../support/transfers.js';
import { until } from '../support/until.js';

/** A replacement writes new contents in several transactions on SQLite. On PostgreSQL it locks the zone alone. */
const COUNT = ON_POSTGRES ? 3000 : 10_000;
const PATIENCE = 120_000;
jest.setTimeout(300_000);
/** Records of the domain that the file has, too. */
const KEPT = 500;

let directory: string;
let database: string;
let service: TestService;
let owner: Client;
let port: number;
let settings: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  database = databaseFileIn(directory);
  port = await freePort();
  settings = {
    DEFAULT__QUOTA_ZONE_RECORDS: '200000',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '200000',
    DEFAULT__QUOTA_API_EXPORT_SIZE: '200000',
    SERVICE_API__ENABLE_API_ADMIN: 'True',
    SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
    SERVICE_API__CHANGES_PER_MINUTE: '0',
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  };
  service = await startTestService(settings, directory);
  owner = service.as('acme');
});
afterAll(async () => {
  await service.stop();
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

/** Replaces all but the first records of a large domain, and one name by another. */
const FILE = Array.from({ length: COUNT }, (_, at) =>
  at < KEPT ? `h${at} A ${seededAddress(at)}\n` : `${at % 7 === 0 ? 'n' : 'h'}${at} A 192.0.2.1\n`,
).join('');

const count = (sql: string): number =>
  lookInto(database, ({ rows }) => rows<{ count: number }>(`SELECT COUNT(*) AS count FROM ${sql}`))[0]!.count;
const isMoved = ({ id }: DomainBody): boolean => count(`moved_contents WHERE zone = '${id}'`) === 1;
/** Rows that are written ahead, or removed later. */
const unseenRows = (): number => count('staged_changes') + count('incoming_zones') + count('left_contents');
const isStaged = (): boolean => count('staged_changes') > 0;
const serialOf = async (domain: TestDomain): Promise<number> => (await domain.now()).serial;

interface ChangeBody {
  readonly change_id: string;
  readonly serial: number;
  readonly serial_before: number;
  readonly records: { readonly created: number; readonly updated: number; readonly deleted: number };
}

async function changesOf({ id }: DomainBody): Promise<readonly ChangeBody[]> {
  const path = `/v1/domains/${id}/changes?limit=3`;
  return (await bodyOf<{ changes: ChangeBody[] }>(owner.call('get', path))).changes;
}

function transferOf(domain: TestDomain, type: number, serial?: number): Promise<readonly ResourceRecord[]> {
  const asked = { name: domain.name, type, ...(serial !== undefined && { serial }) };
  return transfer({ port }, asked).then(({ records }) => records);
}

const textsOf = (records: readonly ResourceRecord[]): string[] =>
  records.map(({ owner, type, rdata }) => `${owner.toString()} ${type} ${Buffer.from(rdata).toString('hex')}`).sort();

it('18.14 a replacement of a large domain is one change', async () => {
  const { domain, ids } = await largeDomain();
  const other = await newDomain(service.as('other'));
  const copy = await transferOf(domain, MetaType.AXFR);
  const before = await serialOf(domain);
  const tag = (await answerOf(domain.get(ids[7]!))).headers.etag as string;
  const end = new AbortController();
  const isOver = end.signal;
  const created: unknown[] = [];
  const creating = (async () => {
    while (!isOver.aborted) created.push(await other.newRecord({ name: other.at(`x${created.length}`) }));
  })();
  const counts = await domain.import(FILE, '?mode=replace');
  end.abort();
  await creating;
  expect(created.length).toBeGreaterThan(20);
  expect(counts).toMatchObject({ created: COUNT - KEPT, removed: COUNT - KEPT, unchanged: KEPT });
  if (!ON_POSTGRES) expect(isMoved(domain)).toBe(true);

  const [change] = await changesOf(domain);
  const after = await serialOf(domain);
  expect(change).toMatchObject({ serial: after, serial_before: before });
  expect(change!.records).toEqual({ created: COUNT - KEPT, updated: 0, deleted: COUNT - KEPT });
  const { headers } = await answerOf(domain.get(ids[7]!));
  expect(headers.etag).toBe(tag);
  await refusalOf(domain.get(ids[KEPT + 7]!), 404, 'record_not_found');
  const difference = await transferOf(domain, MetaType.IXFR, before);
  expect(difference.length).toBeGreaterThan(COUNT);
  const present = await transferOf(domain, MetaType.AXFR);
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
  const addresses = (await transferOf(domain, MetaType.AXFR)).filter(({ type }) => type === 1);
  expect(textsOf(addresses)).toEqual(textsOf(copy.filter(({ type }) => type === 1)));
  await answerOf(owner.call('delete', `/v1/domains/${domain.id}`));
  await until(() => unseenRows() === 0, PATIENCE);
  expect(count('moved_contents')).toBe(0);
  expect(count(`records WHERE name LIKE '%${domain.name}'`)).toBe(0);
  const restored = await bodyOf<DomainBody>(owner.call('post', `/v1/deleted-domains/${domain.id}/restore`));
  expect(
    textsOf((await transferOf(domainOf(owner, restored), MetaType.AXFR)).filter(({ type }) => type === 1)),
  ).toEqual(textsOf(addresses));
  await answerOf(owner.call('delete', `/v1/domains/${restored.id}`));
  audit(database);
});

it('18.14 a change of the domain meanwhile stays, and the import is prepared again', async () => {
  const { domain } = await largeDomain();
  const importing = domain.import(FILE, '?mode=replace');
  if (!ON_POSTGRES) await until(isStaged, PATIENCE);
  const created = await bodyOf(domain.create({ name: domain.at('mine'), type: 'TXT', data: 'kept' }));
  expect(await changesOf(domain)).toMatchObject([{ records: { created: 1 } }, {}, {}]);
  expect((await answerOf(domain.get(created.id))).status).toBe(200);
  const { removed } = await importing;
  expect(removed).toBe(COUNT - KEPT + 1);
  await refusalOf(domain.get(created.id), 404, 'record_not_found');
  expect((await changesOf(domain))[1]).toMatchObject({ records: { created: 1 } });
  await until(() => unseenRows() === 0, PATIENCE);
});

if (!ON_POSTGRES) {
  it('18.14 nothing of a change is seen while it is written', async () => {
    const { domain } = await largeDomain();
    const before = await serialOf(domain);
    const importing = domain.import(FILE, '?mode=replace');
    await until(() => isStaged() && count('journal') > 0 && count('incoming_zones WHERE renewals > 2') > 0, PATIENCE);
    const path = `/v1/domains/${domain.id}/history?limit=2`;
    const seen = await Promise.all([
      serialOf(domain),
      changesOf(domain),
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
    const tenant = service.as('frugal');
    const domain = await newDomain(tenant);
    seedRecords(database, domain.id, COUNT / 2);
    const before = await serialOf(domain);
    const importing = refusalOf(domain.sendFile(FILE), 413, 'over_quota');
    await until(isStaged, PATIENCE);
    await answerOf(service.call('patch', '/admin/quotas/frugal', { quota: { zone_records: COUNT } }));
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
    await service.stop();
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
    service = await startTestService(settings, directory);
    owner = service.as('acme');
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
  expect(await changesOf(domain)).toMatchObject([
    { records: { created: COUNT / 2 } },
    { records: { created: COUNT / 2 } },
    {},
  ]);
  await until(() => unseenRows() === 0, PATIENCE);
});
