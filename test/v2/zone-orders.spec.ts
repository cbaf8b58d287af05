import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TextPattern } from '../../src/common/text-pattern.js';
import { bodyOf } from '../support/answers.js';
import { times } from '../support/length.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { until } from '../support/until.js';
import { wideZoneRow } from '../support/wide-zones.js';

interface ListedZone {
  readonly id: string;
  readonly status: string;
  readonly updated_at: string | null;
  readonly name: string;
  readonly email: string;
  readonly type: string;
  readonly ttl: number;
  readonly serial: number;
  readonly project_id: string;
}

interface ListedDomain {
  readonly id: string;
  readonly publication: string;
}

interface ZonesBody {
  readonly zones: readonly ListedZone[];
  readonly links: { readonly next?: string };
  readonly metadata: { readonly total_count: number };
}

interface Filtered {
  readonly tenant: string;
  readonly key: 'created_at' | 'id' | 'name' | 'ttl' | 'tenant_id' | 'serial' | 'updated_at';
  readonly direction: string;
  readonly limit: number;
  readonly filters: { readonly name?: string; readonly email?: string; readonly ttl?: string; readonly type?: string };
}

interface Asked {
  readonly tenant: string;
  readonly direction: string;
  readonly limit: number;
  readonly status: string;
}

const COUNT = 120;
const OWNERS = ['own', 'own', 'own', 'grantor'];
const SHARES = { target_tenant_id: 'grantee', created_at: 1_763_700_000_000_000 };
const UPDATED_AT = 1_763_700_000_000_000;
const SERVERS = ['127.0.0.1:1', '127.0.0.1:2'];
const TTLS = [3600, 3600, 60, 3600, 2_147_483_647];
const EMAILS = ['most@example.org', 'Most@Example.org', 'most@example.org', 'few@example.org', 'most+1@example.org'];
const SERIALS = [null, 1, 1, 5];

let service: TestService;
beforeAll(async () => {
  // Name servers that never answer, so that the stored serials stay.
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: SERVERS.join(),
  });
  const zones = Array.from({ length: COUNT }, (_, at) => ({
    ...wideZoneRow(at, `${at % 9 === 4 ? 'D' : 'd'}${at}`, OWNERS[at % OWNERS.length]!),
    ttl: TTLS[at % TTLS.length],
    email: EMAILS[at % EMAILS.length],
    // Several zones have the same time, and some have none.
    updated_at: at % 5 === 0 ? null : UPDATED_AT + ((at * 7) % 23),
    serial: 1 + (at % 2),
    ...(at % 6 === 1
      ? { type: 'SECONDARY', masters: '["192.0.2.1"]', transferred_at: at % 12 === 1 ? UPDATED_AT : null }
      : { masters: null, transferred_at: null }),
  }));
  const rows = zones.map(({ id }, at) => ({ zone_id: id, at }));
  const shared = rows.filter(({ at }) => at % 8 === 3);
  const refused = rows.filter(({ at }) => at % 18 === 1);
  const published = rows.filter(({ at }) => at % 3 !== 0);
  storeRows(
    service.databaseFile,
    {
      zones,
      zone_shares: shared.map(({ zone_id, at }) => ({
        id: `01900000-0000-7000-8000-${at + 100_000_000_000}`,
        zone_id,
        ...SHARES,
      })),
      transfers_in: refused.map(({ zone_id }) => ({ zone_id, due_at: 9e15, refused_since: UPDATED_AT })),
      publications: published.flatMap(({ zone_id, at }) =>
        SERVERS.map((server, of) => ({
          ...{
            zone_id,
            server,
            serial: at % 5 === 2 ? 2 : SERIALS[(at >> of) % SERIALS.length],
            checked_at: UPDATED_AT + 40_000_000,
          },
          refusing_since: at % 7 === 0 ? UPDATED_AT : null,
          inconsistency: (at + of) % 13 === 0 ? 'differs' : null,
        })),
      ),
    },
    `INSERT INTO tenants (id, zone_count) VALUES ('own', ${(COUNT * 3) / 4}), ('grantor', ${COUNT / 4})`,
  );
});
afterAll(() => service.stop());

const CALLERS = ['own', 'grantor', 'grantee', 'operators'];

function list(tenant: string, query: string): Promise<ZonesBody> {
  const asked = service.as(tenant, tenant === 'operators' ? 'admin' : 'member').call('get', `/v2/zones?${query}`);
  return bodyOf<ZonesBody>(tenant === 'operators' ? asked.set('X-Auth-All-Projects', 'true') : asked);
}

/** All pages, by their markers. */
async function paged(tenant: string, query: string): Promise<{ ids: string[]; totals: Set<number> }> {
  const ids: string[] = [];
  const totals = new Set<number>();
  for (let marker = ''; ;) {
    const { zones, links, metadata } = await list(tenant, query + marker);
    ids.push(...zones.map(({ id }) => id));
    totals.add(metadata.total_count);
    if (links.next === undefined) return { ids, totals };
    marker = `&marker=${zones.at(-1)?.id}`;
  }
}

const compare = <T extends string | number>(one: T, other: T): number => (one < other ? -1 : Number(one > other));

describe('13.2 the order of zones', () => {
  it.each(['updated_at', 'status'] as const)('13.2 by %s has the pages of the whole list', async (key) => {
    const orders = fc.record({
      tenant: fc.constantFrom(...CALLERS),
      direction: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 5, max: 130 }),
      status: fc.constantFrom('', 'ACTIVE', 'PENDING', 'ERROR', 'E*'),
    });
    const check = async ({ tenant, direction, limit, status }: Asked): Promise<void> => {
      const all = (await list(tenant, 'limit=1000')).zones;
      const found = all.filter((zone) => status === '' || zone.status.startsWith(status.replace('*', '')));
      const sorted = found.toSorted((a, b) => compare(a[key] ?? '', b[key] ?? '') || compare(a.id, b.id));
      if (direction === 'desc') sorted.reverse();
      const filter = status === '' ? '' : `&status=${status}`;
      const { ids, totals } = await paged(tenant, `sort_key=${key}&sort_dir=${direction}&limit=${limit}${filter}`);
      // The service checks the name servers meanwhile.
      fc.pre(isDeepStrictEqual(all, (await list(tenant, 'limit=1000')).zones));
      expect(ids).toEqual(sorted.map(({ id }) => id));
      expect([...totals]).toEqual([found.length]);
    };
    await fc.assert(fc.asyncProperty(orders, check), { numRuns: 30 });
  });

  it('1.12 with a filter that has an index, has the pages of the whole list', async () => {
    const lists = fc.record({
      tenant: fc.constantFrom(...CALLERS),
      key: fc.constantFrom('created_at', 'id', 'name', 'ttl', 'tenant_id', 'serial', 'updated_at'),
      direction: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 5, max: 130 }),
      filters: fc.record(
        {
          name: fc.constantFrom('d*', 'D1*', 'd9*', 'd11*', 'e*', '*', '**', 'd*.wide.example.', '*7*'),
          email: fc.constantFrom('most@example.org', 'FEW@example.org', 'nobody@example.org', 'most*'),
          ttl: fc.constantFrom('3600', '60', '2147483647', '2147483648', '01', '6*'),
          type: fc.constantFrom('PRIMARY', 'secondary', 'other', 'S*'),
        },
        { requiredKeys: [] },
      ),
    });
    const check = async ({ tenant, key, direction, limit, filters }: Filtered): Promise<void> => {
      const all = (await list(tenant, 'limit=1000')).zones;
      const found = all.filter((zone) =>
        Object.entries(filters).every(([field, wanted]) =>
          new TextPattern(wanted).matches(String(zone[field as keyof typeof filters])),
        ),
      );
      const keyOf = (zone: ListedZone): string | number =>
        key === 'created_at' ? zone.id : (zone[key === 'tenant_id' ? 'project_id' : key] ?? '');
      const sorted = found.toSorted((a, b) => compare(keyOf(a), keyOf(b)) || compare(a.id, b.id));
      if (direction === 'desc') sorted.reverse();
      const query = new URLSearchParams({ ...filters, sort_key: key, sort_dir: direction, limit: String(limit) });
      const { ids, totals } = await paged(tenant, query.toString());
      expect(ids).toEqual(sorted.map(({ id }) => id));
      expect([...totals]).toEqual([found.length]);
    };
    await fc.assert(fc.asyncProperty(lists, check), { numRuns: times(60, 300) });
  }, 120_000);

  it.each(['failed', 'pending', 'published'])('7.6 finds %s domains of all tenants', async (publication) => {
    const details = 'details=true&limit=1000';
    const found = async (query: string): Promise<readonly ListedDomain[]> => {
      const asked = service
        .as('operators', 'admin')
        .call('get', `/v1/domains?${query}`)
        .set('X-Auth-All-Projects', 'true');
      return (await bodyOf<{ domains: readonly ListedDomain[] }>(asked)).domains;
    };
    await until(async () => {
      const all = await found(details);
      const expected = all.filter((domain) => domain.publication === publication);
      const filtered = await found(`${details}&publication=${publication}`);
      const later = await found(`${details}&publication=${publication}&sort=-created&offset=2`);
      // The service checks the name servers meanwhile.
      if (!isDeepStrictEqual(all, await found(details))) return false;
      expect(expected.length).toBeGreaterThan(0);
      expect(filtered).toEqual(expected);
      expect(later).toEqual(expected.toReversed().slice(2));
      return true;
    });
  });

  it('13.2 is checked with zones of all statuses', async () => {
    for (const tenant of CALLERS) {
      const { zones } = await list(tenant, 'limit=1000');
      expect(new Set(zones.map(({ status }) => status))).toEqual(new Set(['ACTIVE', 'PENDING', 'ERROR']));
    }
  });
});
