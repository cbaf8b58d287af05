import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { MetaType } from '../../src/dns/message/codes.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { DiffBody, DomainBody, ListedBody } from '../support/bodies.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { COUNT, creatingDuring, FILE, KEPT, LargeDomains, PATIENCE, textsOf } from '../support/large-domains.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { killAll, runCommand, startServiceProcess } from '../support/process.js';
import { seedRecords } from '../support/seed.js';
import { type Client, clientsOf, environmentOf, removeTestData, startTestService } from '../support/service.js';
import { applied } from '../support/transfers.js';
import { until } from '../support/until.js';

jest.setTimeout(300_000);

const REPLACED = COUNT - KEPT;

let large: LargeDomains;
let owner: Client;

beforeAll(async () => {
  large = await LargeDomains.start({ SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8' });
  ({ owner } = large);
});
afterAll(async () => {
  await large.service.stop();
  await removeTestData(large.directory);
});

interface Replaced {
  readonly domain: TestDomain;
  /** Before the replacement. */
  readonly serial: number;
  readonly ids: readonly string[];
}

/** A large domain that a zone file has replaced. */
async function replacedDomain(): Promise<Replaced> {
  const domain = await newDomain(owner);
  const ids = seedRecords(large.database, domain.id, COUNT);
  const { serial } = await domain.now();
  expect(await domain.import(FILE, '?mode=replace')).toMatchObject({ created: REPLACED, removed: REPLACED });
  await until(() => large.unseenRows() === 0, PATIENCE);
  return { domain, serial, ids };
}

interface RevertBody {
  readonly serial: number;
  readonly changes: readonly { readonly action: string; readonly record: { readonly id: string } }[];
  readonly diff?: readonly object[];
  readonly use?: object;
}

const revert = ({ id }: DomainBody, target: object, query = '') =>
  owner.call('post', `/v1/domains/${id}/revert${query}`, target);
const contentOf = ({ id, name, type, data, ttl }: ListedBody): string => `${id} ${name} ${type} ${data} ${ttl}`;
const contents = async (domain: TestDomain): Promise<string[]> => (await domain.records()).map(contentOf).sort();

it('18.14, 11.3 a revert of a large domain is one change', async () => {
  const { domain, serial, ids } = await replacedDomain();
  const other = await newDomain(large.service.as('other'));
  const { serial: present } = await domain.now();
  const copy = await large.transferOf(domain, MetaType.AXFR);
  const before = contentsOf(large.database);
  const tried = await bodyOf<RevertBody>(revert(domain, { serial }, '?dry_run=true'));
  expect(tried.use).toEqual({ zone_records: COUNT, zone_recordsets: COUNT });
  expect(tried.diff).toHaveLength(tried.changes.length);
  expect(contentsOf(large.database)).toBe(before);
  const { diff } = await bodyOf<DiffBody>(
    owner.call('get', `/v1/domains/${domain.id}/diff?from=${present}&to=${serial}`),
  );

  const reverting = bodyOf<RevertBody>(revert(domain, { serial }).set('Idempotency-Key', domain.id));
  const [done, created] = await creatingDuring(other, reverting);
  expect(created).toBeGreaterThan(20);
  expect(done.changes.map(({ action, record }) => [action, record.id])).toEqual(
    diff.map((entry) => [entry.action, (entry.before ?? entry.after)!.id]),
  );
  expect(tried.changes.map(({ action }) => action)).toEqual(done.changes.map(({ action }) => action));
  const [change] = await large.changesOf(domain);
  expect(change).toMatchObject({ serial: done.serial, serial_before: present });
  expect(change!.records).toEqual({ created: REPLACED, updated: 0, deleted: REPLACED });
  const records = await domain.records();
  expect(records.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(records.filter(({ version }) => version === 2)).toHaveLength(REPLACED);
  const difference = await large.transferOf(domain, MetaType.IXFR, present);
  const now = await large.transferOf(domain, MetaType.AXFR);
  expect(difference.length).toBeGreaterThan(COUNT);
  expect(textsOf(applied(copy.slice(0, -1), difference))).toEqual(textsOf(now.slice(0, -1)));
  await until(() => large.unseenRows() === 0, PATIENCE);
  expect(large.count(`records WHERE name LIKE '%.${domain.name}'`)).toBe(COUNT);

  const again = await answerOf(revert(domain, { serial }).set('Idempotency-Key', domain.id));
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect((await domain.now()).serial).toBe(done.serial);
  const check = await runCommand(large.directory, environmentOf(large.directory, large.settings), ['check', '--fix']);
  expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('all counters agree') });
  audit(large.database);
});

it('18.14, 11.3 a large change can be undone by its ID, and the revert too', async () => {
  const domain = await newDomain(owner);
  seedRecords(large.database, domain.id, COUNT);
  const set = `/v2/zones/${domain.id}/recordsets?name=${domain.at(`h${KEPT + 2}`)}`;
  const setNow = () => bodyOf<{ recordsets: { id: string; description: string }[] }>(owner.call('get', set));
  const [former, before] = [await setNow(), await contents(domain)];
  await domain.import(FILE, '?mode=replace');
  const replaced = await contents(domain);
  for (const expected of [before, replaced, before]) {
    const [{ change_id } = { change_id: '' }] = await large.changesOf(domain);
    await answerOf(revert(domain, { change_id }));
    expect(await contents(domain)).toEqual(expected);
  }
  // The record set has never been without records.
  expect((await setNow()).recordsets[0]!.id).toBe(former.recordsets[0]!.id);
  audit(large.database);
});

it('18.14, 11.3 records that exchanged their names are reverted together', async () => {
  const domain = await newDomain(owner);
  const ids = seedRecords(large.database, domain.id, COUNT);
  const cname = await domain.newRecord({ name: domain.at('alone'), type: 'CNAME', data: 'www.example.net.' });
  const below = await domain.newRecord({ name: domain.at('a.tree') });
  const before = await contents(domain);
  const { serial } = await domain.now();
  const changes = [
    { action: 'update', id: cname.id, record: { name: domain.at(`h${COUNT - 1}`) } },
    { action: 'update', id: ids.at(-1), record: { name: domain.at('alone') } },
    { action: 'update', id: ids[0], record: { name: domain.at('h1') } },
    { action: 'update', id: ids[1], record: { name: domain.at('h0') } },
    { action: 'delete', id: below.id },
    { action: 'create', record: { name: domain.at('tree'), type: 'DNAME', data: 'example.net.' } },
  ];
  await answerOf(owner.call('post', `/v1/domains/${domain.id}/changes`, { changes }));
  const more = Array.from({ length: COUNT }, (_, at) => `m${at} 60 A 192.0.2.9\n`).join('');
  await domain.import(more);
  await answerOf(revert(domain, { serial }));
  expect(await contents(domain)).toEqual(before);
  audit(large.database);
});

it('18.14, 11.3 a large revert that the rules refuse names each record, and changes nothing', async () => {
  const { domain, serial } = await replacedDomain();
  const children = [await newDomain(owner, domain.at('h700')), await newDomain(owner, domain.at('h1400'))];
  const { errors } = await refusalOf(revert(domain, { serial }), 400, 'invalid_recordset_location');
  const { serial: present } = await domain.now();
  const { diff } = await bodyOf<DiffBody>(
    owner.call('get', `/v1/domains/${domain.id}/diff?from=${present}&to=${serial}`),
  );
  const names = errors!.map(({ path }) => diff[Number(/^diff\[(\d+)\]/.exec(path)?.[1])]!.after!.name);
  expect(names.sort()).toEqual(children.map(({ name }) => name).sort());
  const allow = (most: number) =>
    answerOf(large.service.call('patch', '/admin/quotas/acme', { quota: { zone_records: most } }));
  for (const { id } of children) await answerOf(owner.call('delete', `/v1/domains/${id}`));
  await domain.import('h1 A 192.0.2.9\n', '?mode=replace');
  await allow(COUNT - 1);
  await refusalOf(revert(domain, { serial }), 413, 'over_quota');
  await allow(10 * COUNT);
  await answerOf(revert(domain, { serial }));
  await until(() => large.unseenRows() === 0, PATIENCE);
});

it('18.14 a change of the domain meanwhile is reverted as well', async () => {
  const { domain, serial, ids } = await replacedDomain();
  const reverting = bodyOf<RevertBody>(revert(domain, { serial }));
  if (!ON_POSTGRES) await until(() => large.isStaged(), PATIENCE);
  const created = await bodyOf(domain.create({ name: domain.at('mine'), type: 'TXT', data: 'kept' }));
  const { changes } = await reverting;
  expect(changes).toContainEqual(
    expect.objectContaining({ action: 'delete', record: expect.objectContaining({ id: created.id }) }),
  );
  expect((await domain.records()).map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(await large.changesOf(domain)).toMatchObject([{}, { records: { created: 1 } }, {}]);
  await until(() => large.unseenRows() === 0, PATIENCE);
});

it('18.14 a large revert and a large import of one domain are two changes', async () => {
  const { domain, serial } = await replacedDomain();
  const more = Array.from({ length: COUNT }, (_, at) => `m${at} A 192.0.2.9\n`).join('');
  const [, { created }] = await Promise.all([bodyOf(revert(domain, { serial })), domain.import(more)]);
  expect(created).toBe(COUNT);
  const latest = (await large.changesOf(domain)).slice(0, 2);
  expect(latest.filter(({ records }) => records.deleted === 0)).toMatchObject([{ records: { created: COUNT } }]);
  await until(() => large.unseenRows() === 0, PATIENCE);
  audit(large.database);
});

it('18.14, 11.7 a restored large domain is one change', async () => {
  const { domain } = await replacedDomain();
  const other = await newDomain(large.service.as('other'));
  const addresses = async (of: TestDomain) =>
    textsOf((await large.transferOf(of, MetaType.AXFR)).filter(({ type }) => type === 1));
  const before = await addresses(domain);
  await answerOf(owner.call('delete', `/v1/domains/${domain.id}`));
  const restoring = bodyOf<DomainBody>(owner.call('post', `/v1/deleted-domains/${domain.id}/restore`));
  const [restored, created] = await creatingDuring(other, restoring);
  expect(created).toBeGreaterThan(20);
  const again = domainOf(owner, restored);
  expect(await addresses(again)).toEqual(before);
  expect(await large.changesOf(again)).toMatchObject([{ records: { created: COUNT, updated: 0, deleted: 0 } }]);
  await until(() => large.unseenRows() === 0, PATIENCE);
  await answerOf(owner.call('delete', `/v1/domains/${restored.id}`));
  audit(large.database);
});

it('18.14, 13.11 a transfer of a large secondary zone is one change', async () => {
  const primary = await LargeDomains.start();
  const source = await newDomain(primary.owner);
  seedRecords(primary.database, source.id, COUNT);
  const masters = [`127.0.0.1:${primary.port}`];
  const body = { name: source.name, type: 'SECONDARY', masters };
  const zone = await bodyOf<DomainBody>(owner.call('post', '/v2/zones', body), 202);
  const hasSerialOfPrimary = async (): Promise<void> => {
    const { serial } = await source.now();
    await until(async () => {
      const now = await bodyOf<{ serial: number; status: string }>(owner.call('get', `/v2/zones/${zone.id}`));
      return now.serial === serial && now.status === 'ACTIVE';
    }, PATIENCE);
  };
  await hasSerialOfPrimary();
  const { serial } = await source.now();
  const copy = await large.transferOf(zone, MetaType.AXFR);
  await source.import(FILE, '?mode=replace');
  const other = await newDomain(large.service.as('other'));
  // A NOTIFY would come from a primary that knows its secondaries.
  await answerOf(owner.call('post', `/v2/zones/${zone.id}/tasks/xfr`, {}), 202);
  const [, created] = await creatingDuring(other, hasSerialOfPrimary());
  expect(created).toBeGreaterThan(20);
  const present = await large.transferOf(zone, MetaType.AXFR);
  expect(textsOf(present)).toEqual(textsOf(await primary.transferOf(source, MetaType.AXFR)));
  const difference = await large.transferOf(zone, MetaType.IXFR, serial);
  expect(textsOf(applied(copy.slice(0, -1), difference))).toEqual(textsOf(present.slice(0, -1)));
  await until(() => large.unseenRows() === 0, PATIENCE);
  if (!ON_POSTGRES) expect(large.isMoved(zone)).toBe(true);
  await primary.service.stop();
  await removeTestData(primary.directory);
  await answerOf(owner.call('delete', `/v2/zones/${zone.id}`), 202);
  audit(large.database);
});

if (!ON_POSTGRES)
  it.each(['revert', 'restore'])('18.15 a process that is killed leaves all of a %s or nothing', async (what) => {
    const { domain, serial } = await replacedDomain();
    if (what === 'restore') await answerOf(owner.call('delete', `/v1/domains/${domain.id}`));
    await until(() => large.unseenRows() === 0, PATIENCE);
    const before = contentsOf(large.database);
    await large.service.stop();
    const env = environmentOf(large.directory, large.settings);
    const isDone = (): boolean => contentsOf(large.database) !== before && large.unseenRows() === 0;
    for (const moment of [0, 150]) {
      const killed = await startServiceProcess(large.directory, env);
      const client = clientsOf(killed.url).as('acme');
      const path = what === 'restore' ? `/v1/deleted-domains/${domain.id}/restore` : `/v1/domains/${domain.id}/revert`;
      const changing = client.call('post', path, what === 'restore' ? {} : { serial });
      const ended = changing.then(() => undefined).catch(() => undefined);
      await until(() => large.count('incoming_zones') > 0, PATIENCE);
      await delay(moment);
      killAll(killed);
      await killed.ended;
      await ended;
    }
    large.service = await startTestService(large.settings, large.directory);
    ({ owner } = large);
    await until(() => large.unseenRows() === 0, PATIENCE);
    audit(large.database);
    if (!isDone()) expect(contentsOf(large.database)).toBe(before);
  });
