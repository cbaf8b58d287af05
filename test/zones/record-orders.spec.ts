import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { Scheduler } from '../../src/background/scheduler.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import type { DomainBody } from '../support/bodies.js';
import { times } from '../support/length.js';
import { executeIn, lookInto } from '../support/stored.js';
import { startTestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { until } from '../support/until.js';
import { wideZoneRow } from '../support/wide-zones.js';

/** More than lists pass over at a time. */
const MANY = 6200;
const FEW = 40;
const TENANTS = ['giver', 'taker'] as const;
/** Does not answer. */
const SERVER = '127.0.0.1:1';

interface StoredZone {
  readonly id: string;
  readonly serial: number;
  readonly record_count: number;
  readonly changed_at: number;
}

type Column = 'serial' | 'record_count' | 'changed_at';

let service: AssembledService;
const index = (): Promise<void> => service.get(Scheduler).runNow('zones.search');
const rowsOf = <T>(sql: string, ...values: readonly unknown[]): T[] =>
  lookInto(service.databaseFile, ({ rows }) => rows<T>(sql, ...values));
const waiting = (): number =>
  Number(rowsOf<{ n: number | string }>('SELECT COUNT(*) AS n FROM zone_order_queue')[0]!.n);

function zonesOf(tenant: string, column: Column, isDescending: boolean): string[] {
  const direction = isDescending ? 'DESC' : 'ASC';
  const zones = rowsOf<StoredZone>(
    `SELECT id FROM zones WHERE tenant_id = ? ORDER BY ${column} ${direction}, id ${direction}`,
    tenant,
  );
  return zones.map(({ id }) => id);
}

beforeAll(async () => {
  service = await assembleTestService({});
  const counts = { wide: MANY, giver: FEW, taker: FEW };
  const tenants = Object.entries(counts).map(([id, zone_count]) => ({ id, zone_count }));
  const zones = tenants
    .flatMap(({ id, zone_count }) => Array.from({ length: zone_count }, () => id))
    .map((tenant, at) => ({
      ...wideZoneRow(at, `z${at}`, tenant),
      serial: 1 + ((at * 7919) % 977),
      record_count: (at * 31) % 53,
      changed_at: 1_763_600_000_000_000 + ((at * 2_654_435) % 100_000),
    }));
  storeRows(service.databaseFile, { zones, tenants }, 'DELETE FROM tenants WHERE 1 = 0');
});
afterAll(() => service.stop());

const SORTS = { records: 'record_count', updated: 'changed_at' } as const;

async function numbered(tenant: string, sort: keyof typeof SORTS, minus: string, offset: number, limit: number) {
  const query = `sort=${minus}${sort}&offset=${offset}&limit=${limit}&count=true`;
  const { domains, count, links } = await bodyOf<{
    readonly domains: readonly DomainBody[];
    readonly count: { readonly total: number; readonly total_is_exact: boolean };
    readonly links?: { readonly next?: string };
  }>(service.as(tenant).call('get', `/v1/domains?${query}`));
  return { ids: domains.map(({ id }) => id), count, hasNext: links?.next !== undefined };
}

async function assertNumbered(tenant: string, offsets: readonly number[], limit: number): Promise<void> {
  for (const sort of ['records', 'updated'] as const)
    for (const minus of ['', '-'])
      for (const offset of offsets) {
        const sorted = zonesOf(tenant, SORTS[sort], minus === '-');
        const { ids, count, hasNext } = await numbered(tenant, sort, minus, offset, limit);
        expect(ids).toEqual(sorted.slice(offset, offset + limit));
        expect(count).toEqual({ total: sorted.length, total_is_exact: true });
        expect(hasNext).toBe(sorted.length > offset + limit);
      }
}

interface ZonesBody {
  readonly zones: readonly { readonly id: string }[];
  readonly metadata: { readonly total_count: number };
}

/** Pages by marker, each compared with the order of that moment. */
async function assertBySerial(tenant: string, direction: string, limit: number, between: () => Promise<void>) {
  for (let last: string | undefined, at = 0; at < 4; at += 1) {
    const marker = last === undefined ? '' : `&marker=${last}`;
    const query = `sort_key=serial&sort_dir=${direction}&limit=${limit}${marker}`;
    const { zones, metadata } = await bodyOf<ZonesBody>(service.as(tenant).call('get', `/v2/zones?${query}`));
    const sorted = zonesOf(tenant, 'serial', direction === 'desc');
    const from = last === undefined ? 0 : sorted.indexOf(last) + 1;
    expect(zones.map(({ id }) => id)).toEqual(sorted.slice(from, from + limit));
    expect(metadata.total_count).toBe(sorted.length);
    last = zones.at(-1)?.id;
    if (last === undefined) return;
    await between();
    if (!zonesOf(tenant, 'serial', false).includes(last)) return;
  }
}

const step = fc.record({
  kind: fc.constantFrom('create', 'delete', 'record', 'record', 'transfer', 'index'),
  tenant: fc.constantFrom(...TENANTS),
  seed: fc.nat({ max: 1_000_000 }),
});
type Step = Parameters<Parameters<typeof step.map>[0]>[0];

let made = 0;
async function take({ kind, tenant, seed }: Step): Promise<void> {
  const client = service.as(tenant);
  const ids = zonesOf(tenant, 'serial', false);
  const id = ids[seed % ids.length]!;
  made += 1;
  if (kind === 'index') await index();
  else if (kind === 'create')
    await bodyOf(client.call('post', '/v1/domains', { name: `n${made}.wide.example.`, email: 'h@example.org' }));
  else if (kind === 'delete' && ids.length > 20) await answerOf(client.call('delete', `/v1/domains/${id}`));
  else if (kind === 'record') {
    const { name } = await bodyOf<DomainBody>(client.call('get', `/v1/domains/${id}`));
    const record = { name: `h${made}.${name}`, type: 'A', data: '192.0.2.1' };
    await bodyOf(client.call('post', `/v1/domains/${id}/records`, record));
  } else if (kind === 'transfer' && ids.length > 20) {
    const offered = client.call('post', `/v2/zones/${id}/tasks/transfer_requests`);
    const { id: request, key } = await bodyOf<{ id: string; key: string }>(offered, 201);
    const body = { zone_transfer_request_id: request, key };
    const taker = service.as(tenant === 'giver' ? 'taker' : 'giver');
    await answerOf(taker.call('post', '/v2/zones/tasks/transfer_accepts', body), 201);
  }
}

/** In microseconds: 2100. */
const LATER = 4_102_444_800_000_000;
const STATUS_SQL =
  "CASE WHEN z.type = 'PRIMARY' THEN 'ACTIVE' WHEN t.refused_since IS NOT NULL THEN 'ERROR'" +
  " WHEN z.transferred_at IS NULL THEN 'PENDING' ELSE 'ACTIVE' END";

function withStatus(tenant: string): { readonly id: string; readonly status: string }[] {
  return rowsOf(
    `SELECT z.id, ${STATUS_SQL} AS status FROM zones z LEFT JOIN transfers_in t ON t.zone_id = z.id` +
      ' WHERE z.tenant_id = ? ORDER BY z.id',
    tenant,
  );
}

/** Version 1 by numbers, version 2 by markers, and sorted. */
async function assertByStatus(tenant: string): Promise<void> {
  const client = service.as(tenant);
  const all = withStatus(tenant);
  for (const [status, publication] of [
    ['ACTIVE', 'published'],
    ['PENDING', 'pending'],
    ['ERROR', 'failed'],
  ] as const) {
    const ids = all.filter((zone) => zone.status === status).map(({ id }) => id);
    for (const offset of [0, 7, Math.max(0, ids.length - 2)]) {
      const query = `publication=${publication}&offset=${offset}&limit=5&count=true`;
      const { domains, count } = await bodyOf<{ domains: { id: string }[]; count: { total: number } }>(
        client.call('get', `/v1/domains?${query}`),
      );
      expect(domains.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 5));
      expect(count.total).toBe(ids.length);
    }
    const marker = ids.length > 9 ? `&marker=${ids[9]}` : '';
    const found = await bodyOf<ZonesBody>(client.call('get', `/v2/zones?status=${status}&limit=5${marker}`));
    expect(found.zones.map(({ id }) => id)).toEqual(marker === '' ? ids.slice(0, 5) : ids.slice(10, 15));
    expect(found.metadata.total_count).toBe(ids.length);
  }
  const sorted = all.sort((one, other) => (one.status + one.id < other.status + other.id ? -1 : 1)).map(({ id }) => id);
  for (const [direction, order] of [
    ['asc', sorted],
    ['desc', sorted.toReversed()],
  ] as const)
    for (const at of [0, 2060, 5100]) {
      const path = `/v2/zones?sort_key=status&sort_dir=${direction}&limit=4&marker=${order[at]}`;
      const { zones, metadata } = await bodyOf<ZonesBody>(client.call('get', path));
      expect(zones.map(({ id }) => id)).toEqual(order.slice(at + 1, at + 5));
      expect(metadata.total_count).toBe(sorted.length);
    }
}

describe('18.17 domains by records, change or serial', () => {
  const OFFSETS = [0, 1, 4990, 5000, 5060, 6190, MANY];

  it('18.17 are in order before they are indexed', async () => {
    await assertNumbered('wide', [0, 6190], 5);
    await assertBySerial('wide', 'desc', 5, async () => {});
  });

  it('18.17 are in order with the index, and with changes that it lacks', async () => {
    await index();
    expect(waiting()).toBe(0);
    await assertNumbered('wide', OFFSETS, 5);
    executeIn(
      service.databaseFile,
      'UPDATE zones SET record_count = (record_count * 7) % 60, changed_at = changed_at + 50000, serial = 990 - serial' +
        ` WHERE tenant_id = 'wide' AND serial % 50 = 3`,
    );
    expect(waiting()).toBeGreaterThan(100);
    await assertNumbered('wide', OFFSETS, 5);
    for (const direction of ['asc', 'desc']) await assertBySerial('wide', direction, 300, index);
    await assertNumbered('wide', OFFSETS, 5);
  });

  it('18.17 are in order while changed domains enter the index', async () => {
    for (let round = 0; round < times(40, 300); round += 1) {
      executeIn(
        service.databaseFile,
        `UPDATE zones SET changed_at = 3526200000100000 - changed_at WHERE tenant_id = 'wide' AND serial % 50 = ${round % 50}`,
      );
      const minus = round % 2 === 0 ? '' : '-';
      const sorted = zonesOf('wide', 'changed_at', minus === '-');
      // Several, so that some have read the waiting domains and not yet the index.
      const pages = Array.from({ length: 8 }, (_, at) => numbered('wide', 'updated', minus, 5400 + at, 5));
      for (let turns = 10 * (round % 20); turns > 0; turns -= 1) await nextTurn();
      await index();
      const found = await Promise.all(pages);
      expect(found.map(({ ids }) => ids)).toEqual(found.map((_, at) => sorted.slice(5400 + at, 5405 + at)));
    }
  });

  it('18.17 are found by status, also while the index lacks changes', async () => {
    const change = (sql: string): void => executeIn(service.databaseFile, sql);
    const secondary = (part: string, transferred: string): void =>
      change(
        `UPDATE zones SET type = 'SECONDARY', transferred_at = ${transferred} WHERE tenant_id = 'wide' AND serial % ${part}`,
      );
    const refuse = (part: string): void =>
      change(
        `INSERT INTO transfers_in (zone_id, due_at, refused_since) SELECT id, ${LATER}, 1 FROM zones` +
          ` WHERE type = 'SECONDARY' AND serial % ${part} ON CONFLICT DO NOTHING`,
      );
    secondary('3 = 0', 'NULL');
    secondary('5 = 0', 'changed_at');
    refuse('7 = 0');
    await assertByStatus('wide');
    await index();
    await until(() => waiting() === 0);
    await assertByStatus('wide');
    secondary('37 = 1', 'NULL');
    refuse('37 = 0');
    change(
      'UPDATE transfers_in SET refused_since = NULL WHERE zone_id IN (SELECT id FROM zones WHERE serial % 49 = 0)',
    );
    change('DELETE FROM transfers_in WHERE zone_id IN (SELECT id FROM zones WHERE serial % 63 = 0)');
    change("UPDATE zones SET transferred_at = changed_at WHERE tenant_id = 'wide' AND serial % 47 = 1");
    await assertByStatus('wide');
    await index();
    await assertByStatus('wide');
  }, 120_000);

  it('18.17 wait for the index when the answer of a name server changes their status', async () => {
    const { id } = withStatus('wide')[11]!;
    const row = `zone_id = '${id}' AND server = '${SERVER}'`;
    const isWaiting = (): boolean => rowsOf('SELECT zone_id FROM zone_order_queue WHERE zone_id = ?', id).length > 0;
    const waitsAfter = async (sql: string): Promise<boolean> => {
      await index();
      executeIn(service.databaseFile, sql);
      return isWaiting();
    };
    const columns = '(zone_id, server, serial, checked_at)';
    expect(await waitsAfter(`INSERT INTO publications ${columns} VALUES ('${id}', '${SERVER}', 7, 1)`)).toBe(true);
    expect(await waitsAfter(`UPDATE publications SET serial = 8 WHERE ${row}`)).toBe(true);
    expect(await waitsAfter(`UPDATE publications SET checked_at = 2 WHERE ${row}`)).toBe(false);
    expect(await waitsAfter(`UPDATE publications SET inconsistency = 'other data' WHERE ${row}`)).toBe(true);
    expect(await waitsAfter(`UPDATE publications SET serial = NULL, refusing_since = 3 WHERE ${row}`)).toBe(true);
    expect(await waitsAfter(`UPDATE publications SET checked_at = 4 WHERE ${row}`)).toBe(true);
    expect(await waitsAfter(`DELETE FROM publications WHERE ${row}`)).toBe(true);
  });

  it('18.17 are found by status with other name servers', async () => {
    const settings = {
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__SECONDARIES: SERVER,
    };
    const other = await startTestService(settings, service.directory);
    try {
      const total = async (status: string): Promise<number> =>
        (await bodyOf<ZonesBody>(other.as('wide').call('get', `/v2/zones?status=${status}&limit=2`))).metadata
          .total_count;
      const waits = withStatus('wide').filter(({ status }) => status !== 'ERROR').length;
      expect(await total('PENDING')).toBe(waits);
      const isIndexed = (): boolean =>
        rowsOf<{ end: string }>('SELECT found_to AS "end" FROM zone_status_rules')[0]!.end === '~' && waiting() === 0;
      await until(isIndexed, 60_000);
      expect(await total('PENDING')).toBe(waits);
      expect(await total('ACTIVE')).toBe(0);
      await assertByStatus('wide');
    } finally {
      await other.stop();
    }
  }, 120_000);

  it('18.17 are in the order of the moment, between any changes', async () => {
    const check = async (steps: readonly Step[], direction: string, limit: number): Promise<void> => {
      const rest = [...steps];
      await assertBySerial('giver', direction, limit, async () => {
        const next = rest.shift();
        if (next !== undefined) await take(next);
      });
      for (const one of rest) await take(one);
      for (const tenant of TENANTS) await assertNumbered(tenant, [0, 3, 17], limit);
    };
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 30 }),
      check,
    );
    await fc.assert(property, { numRuns: times(12, 60) });
  }, 120_000);
});
