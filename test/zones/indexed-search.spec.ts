import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Scheduler } from '../../src/background/scheduler.js';
import { TextPattern } from '../../src/common/text-pattern.js';
import { ZoneSearchIndex } from '../../src/zones/lists/zone-search-index.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import type { DomainBody } from '../support/bodies.js';
import { SERVER, WITH_POWERDNS } from '../support/powerdns.js';
import { executeIn, lookInto } from '../support/stored.js';
import { storeRows } from '../support/store-rows.js';
import { wideZoneRow } from '../support/wide-zones.js';

const COUNT = 2500;
const TENANTS = ['giver', 'taker'] as const;
type Tenant = (typeof TENANTS)[number];

interface ModelZone {
  readonly id: string;
  readonly tenant: Tenant;
  readonly name: string;
  readonly email: string;
  readonly description: string;
}

let service: AssembledService;
/** The zones as they should be found. */
const zones = new Map<string, ModelZone>();

const index = (): Promise<void> => service.get(Scheduler).runNow('zones.search');
const count = (table: string): number =>
  lookInto(service.databaseFile, ({ rows }) =>
    Number(rows<{ n: number | string }>(`SELECT COUNT(*) AS n FROM zone_search_${table}`)[0]!.n),
  );

/** How many zones a search reads. */
async function readFor(text: string): Promise<number> {
  const portions = await service.get(ZoneSearchIndex).candidates([text], COUNT);
  let read = 0;
  for await (const ids of portions!()) read += ids.length;
  return read;
}

function labelOf(seed: number): string {
  let [label, rest] = ['', seed * 2_654_435_761];
  for (let at = 0; at < 8; at += 1) {
    label += 'abcXYZ018-_'[rest % 11]!;
    rest = Math.floor(rest / 11);
  }
  return `l${label}${seed.toString(36)}`;
}

beforeAll(async () => {
  service = await assembleTestService({ settings: WITH_POWERDNS });
  const rows = Array.from({ length: 2 * COUNT }, (_, at) => {
    const label = labelOf(at);
    const row = wideZoneRow(at, label, TENANTS[at % 2]!);
    return {
      ...row,
      name_key: `example wide ${label.toLowerCase()}`,
      description: at % 7 === 0 ? `Note ${at} 100%` : null,
    };
  });
  const tenants = TENANTS.map((id) => ({ id, zone_count: COUNT }));
  storeRows(service.databaseFile, { zones: rows, tenants }, 'DELETE FROM tenants WHERE 1 = 0');
  for (const [at, { id, name, email, description }] of (
    rows as unknown as (Omit<ModelZone, 'description'> & { description: string | null })[]
  ).entries())
    zones.set(id, { id, tenant: TENANTS[at % 2]!, name, email, description: description ?? '' });
});
afterAll(() => service.stop());

const expected = (has: (zone: ModelZone) => boolean, tenant: Tenant | null): string[] =>
  [...zones.values()]
    .filter((zone) => (tenant === null || zone.tenant === tenant) && has(zone))
    .map(({ name }) => name);

/** What version 1, version 2 and the PowerDNS API find. */
async function assertFound(text: string, tenant: Tenant): Promise<void> {
  const client = service.as(tenant);
  const q = encodeURIComponent(text);
  const pattern = new TextPattern(`*${text}*`);
  const byText = expected(
    ({ name, email, description }) => [name, email, description].some((one) => pattern.matches(one)),
    tenant,
  );
  const byName = expected(({ name }) => pattern.matches(name), tenant);
  interface Domains {
    readonly domains: readonly DomainBody[];
    readonly count: { readonly total: number };
  }
  const v1 = await bodyOf<Domains>(client.call('get', `/v1/domains?q=${q}&count=true&limit=1000`));
  const place = `/v2/zones?name=*${q}*&limit=1000`;
  const v2 = await bodyOf<{ readonly zones: readonly { readonly name: string }[] }>(client.call('get', place));
  const searched = `${SERVER}/search-data?object_type=zone&max=10000&q=*${q}*`;
  const found = await bodyOf<readonly { readonly name: string }[]>(client.call('get', searched));
  const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name).sort();
  expect(v1.count.total).toBe(byText.length);
  if (byText.length <= 1000) expect(names(v1.domains)).toEqual(byText.sort());
  if (byName.length <= 1000) expect(names(v2.zones)).toEqual([...byName].sort());
  expect(names(found)).toEqual(byName.map((name) => name.toLowerCase()).sort());
}

async function create(tenant: Tenant, label: string): Promise<void> {
  const body = { name: `${label}.wide.example.`, email: `${label}@example.net` };
  const { status, body: zone } = (await service.as(tenant).call('post', '/v1/domains', body)) as {
    readonly status: number;
    readonly body: DomainBody;
  };
  if (status !== 409) zones.set(zone.id, { id: zone.id, tenant, name: zone.name, email: zone.email, description: '' });
}

async function remove({ id, tenant }: ModelZone): Promise<void> {
  await answerOf(service.as(tenant).call('delete', `/v1/domains/${id}`));
  zones.delete(id);
}

async function describeZone(zone: ModelZone, description: string): Promise<void> {
  await answerOf(service.as(zone.tenant).call('patch', `/v2/zones/${zone.id}`, { description }), 202);
  zones.set(zone.id, { ...zone, description });
}

async function transfer(zone: ModelZone): Promise<void> {
  const to = zone.tenant === 'giver' ? 'taker' : 'giver';
  const offered = service.as(zone.tenant).call('post', `/v2/zones/${zone.id}/tasks/transfer_requests`);
  const { id, key } = await bodyOf<{ id: string; key: string }>(offered, 201);
  const body = { zone_transfer_request_id: id, key };
  await answerOf(service.as(to).call('post', '/v2/zones/tasks/transfer_accepts', body), 201);
  zones.set(zone.id, { ...zone, tenant: to });
}

const seed = fc.nat({ max: 1_000_000 });
const step = fc.record({
  kind: fc.constantFrom('create', 'delete', 'describe', 'transfer', 'index'),
  tenant: fc.constantFrom(...TENANTS),
  seed,
});
const search = fc.record({
  seed,
  from: fc.nat({ max: 12 }),
  length: fc.integer({ min: 1, max: 8 }),
  upper: fc.boolean(),
});

async function take({ kind, tenant, seed: number }: { kind: string; tenant: Tenant; seed: number }): Promise<void> {
  const chosen = zoneAt(number);
  if (kind === 'create') await create(tenant, labelOf(10_000 + number));
  else if (kind === 'delete') await remove(chosen);
  else if (kind === 'describe') await describeZone(chosen, `Moved ${number} 100%_É`);
  else if (kind === 'transfer') await transfer(chosen);
  else await index();
}

const zoneAt = (number: number): ModelZone => [...zones.values()][number % zones.size]!;

function textOf({
  seed: number,
  from,
  length,
  upper,
}: {
  seed: number;
  from: number;
  length: number;
  upper: boolean;
}): string {
  const { name, description } = zoneAt(number);
  const [ofName, ofDescription] = [name, description].map((text) => text.slice(from, from + length));
  // A query of blanks alone is refused.
  const text = number % 3 === 0 && ofDescription?.trim() ? ofDescription : ofName!;
  return upper ? text.toUpperCase() : text;
}

describe('18.13 a search for a text', () => {
  it('18.13 finds zones before they are indexed', async () => {
    await assertFound(labelOf(77).slice(1, 7), 'taker');
  });

  it('18.13 uses blocks of 32 zones, and searches the rest directly', async () => {
    await index();
    expect(count('blocks')).toBe(Math.floor((2 * COUNT) / 32));
    expect(count('queue')).toBe((2 * COUNT) % 32);
    await assertFound(labelOf(77).slice(1, 7), 'taker');
    expect(await readFor(labelOf(77).slice(1, 7))).toBeLessThan(COUNT / 4);
    await assertFound('100%', 'giver');
    await assertFound('nowhere', 'giver');
  });

  it('18.13 finds the same as without the index, between any changes', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.array(search, { minLength: 1, maxLength: 3 }),
      async (steps, searches) => {
        for (const one of steps) await take(one);
        for (const one of searches) for (const tenant of TENANTS) await assertFound(textOf(one), tenant);
      },
    );
    await fc.assert(property, { numRuns: 25 });
  }, 120_000);

  it('18.13 forms old blocks again where many zones were deleted or changed', async () => {
    const [kept] = zones.values();
    const others = [...zones.keys()].filter((id) => id !== kept!.id);
    executeIn(service.databaseFile, `DELETE FROM zones WHERE id <> '${kept!.id}'; UPDATE tenants SET zone_count = 0`);
    for (const id of others) zones.delete(id);
    await assertFound(kept!.name.slice(1, 7), kept!.tenant);
    for (let at = 0; at < 200; at += 1) await create('giver', `again${at}x`);
    await index();
    await assertFound('again1', 'giver');
    expect(count('blocks')).toBeLessThanOrEqual(128 + 10);
  });
});
