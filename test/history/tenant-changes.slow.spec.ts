import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { HistoryBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

interface ChangeBody {
  readonly change_id: string;
  readonly domain: { readonly id: string; readonly name: string };
  readonly records: { readonly created: number };
  readonly serial: number;
  readonly serial_before: number | null;
  readonly first: number;
  readonly last: number;
}

interface ChangesBody {
  readonly changes: readonly ChangeBody[];
  readonly links: { readonly self: string; readonly next?: string };
}

let service: TokenService;
let member: TokenClient;
let zones: readonly TestDomain[];

beforeAll(async () => {
  service = await startTokenService({
    DEFAULT__QUOTA_ZONE_RECORDS: '5000',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '5000',
  });
  member = await service.newToken();
  const stranger = await service.newToken({ tenantId: 'other' });
  const theirs = await newDomain(stranger);
  zones = [await newDomain(member), await newDomain(member)];
  // Changes of all domains alternate, and one of another tenant exceeds a chunk.
  for (const name of ['a', 'b', 'c'])
    for (const zone of [...zones, theirs]) await zone.import(`${name} 60 A 192.0.2.1\n${name} 60 A 192.0.2.2\n`);
  const lines = Array.from({ length: 1200 }, (_, at) => `h${at} 60 A 192.0.2.1\n`).join('');
  for (const zone of [theirs, zones[0]!]) await zone.import(lines);
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

const listed = (query = '', client = member): Promise<ChangesBody> =>
  bodyOf<ChangesBody>(client.call('get', `/v1/changes${query}`));
const namesOf = ({ changes }: ChangesBody): readonly string[] => changes.map(({ domain }) => domain.name);

describe('11.8 the changes of all domains of a tenant', () => {
  it("11.8 contain each tenant's own changes, latest first", async () => {
    const [one, other] = zones.map(({ name }) => name) as [string, string];
    const all = await listed();
    expect(namesOf(all)).toEqual([one, ...['c', 'b', 'a'].flatMap(() => [other, one]), other, one]);
    expect(all.links).not.toHaveProperty('next');
    expect(all.changes.map(({ records }) => records.created)).toEqual([1200, 2, 2, 2, 2, 2, 2, 0, 0]);
    for (const zone of zones) {
      const { changes } = await bodyOf<ChangesBody>(member.call('get', `/v1/domains/${zone.id}/changes`));
      const ofZone = all.changes.filter(({ domain }) => domain.id === zone.id);
      expect(ofZone).toEqual(changes.map((change) => ({ ...change, domain: { id: zone.id, name: zone.name } })));
    }
  });

  it('11.5 count the steps of a long change as the history lists them', async () => {
    const zone = zones[1]!;
    const lines = Array.from({ length: 4000 }, (_, at) => `h${at} 60 A 192.0.2.${at % 2}\n`);
    await zone.import(lines.join(''));
    const changed = lines.slice(2000).join('').replaceAll('192.0.2.1', '192.0.2.3');
    await zone.import(`@ 7200 SOA ns hostmaster 1 3600 600 86400 300\n${changed}`, '?mode=replace');
    const { changes } = await bodyOf<ChangesBody>(member.call('get', `/v1/domains/${zone.id}/changes`));
    const counts = new Map<string, { created: number; updated: number; deleted: number }>();
    for (let marker = Number.MAX_SAFE_INTEGER; marker > 1;) {
      const path = `/v1/domains/${zone.id}/history?limit=1000&marker=${marker}`;
      const { history } = await bodyOf<HistoryBody>(member.call('get', path));
      for (const { change_id, action } of history) {
        const count = counts.get(change_id) ?? { created: 0, updated: 0, deleted: 0 };
        if (action.startsWith('record.')) count[`${action.slice(7)}d` as keyof typeof count] += 1;
        counts.set(change_id, count);
      }
      marker = history.at(-1)!.number;
    }
    expect(changes.map(({ change_id, records }) => [change_id, records])).toEqual([...counts]);
    expect(changes.slice(0, 2).map(({ last, first }) => last - first > 3000)).toEqual([true, true]);
    for (const [at, { serial_before, first }] of changes.entries()) {
      expect(serial_before).toBe(changes[at + 1]?.serial ?? null);
      expect(first).toBe((changes[at + 1]?.last ?? 0) + 1);
    }
    const second = await bodyOf<ChangesBody>(
      member.call('get', `/v1/domains/${zone.id}/changes?marker=${changes[0]!.first}`),
    );
    expect(second.changes).toEqual(changes.slice(1));
  });

  it('11.8 go on by links, each of them once', async () => {
    const seen: ChangeBody[] = [];
    for (let next: string | undefined = `${service.url}/v1/changes?limit=2`; next !== undefined;) {
      const { search } = new URL(next);
      const page: ChangesBody = await listed(search);
      expect(page.changes.length).toBeLessThanOrEqual(2);
      seen.push(...page.changes);
      next = page.links.next;
    }
    expect(seen).toEqual((await listed()).changes);
    expect((await listed('?since=2100-01-01T00:00:00Z')).changes).toEqual([]);
  });

  it('11.8, 14.2 contain the domains in scope for a scoped token', async () => {
    const [, { name }] = zones as [TestDomain, TestDomain];
    const { token } = await bodyOf<{ token: string }>(member.call('post', '/v1/tokens', { domains: [name] }));
    expect(new Set(namesOf(await listed('', service.holding(token))))).toEqual(new Set([name]));
  });

  it('11.8 contain a deleted domain', async () => {
    const owner = await service.newToken({ tenantId: 'forgetful' });
    const zone = await newDomain(owner, 'Gone.example.');
    await zone.newRecord();
    await answerOf(owner.call('delete', `/v1/domains/${zone.id}`));
    expect(namesOf(await listed('', owner))).toEqual(['gone.example.', 'gone.example.', 'gone.example.']);
    expect(await listed('', await service.newToken({ tenantId: 'nobody' }))).toMatchObject({ changes: [] });
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'marker=x', 'marker=1.x.1', 'marker=', 'since=never', 'name=x'])(
    '11.8 refuses %s',
    async (query) => {
      await refusalOf(member.call('get', `/v1/changes?${query}`), 400, 'invalid_object');
    },
  );
});
