import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DiffBody, HistoryBody, RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

interface PlanBody {
  readonly serial: number;
  readonly changes: readonly { readonly action: string; readonly record?: RecordBody }[];
  readonly diff: DiffBody['diff'];
  readonly use: { readonly zone_records: number; readonly zone_recordsets: number };
}

interface ChangeBody {
  readonly change_id: string;
  readonly serial: number;
  readonly serial_before: number | null;
  readonly actor: object;
  readonly message: string | null;
  readonly records: object;
  readonly domain_actions: readonly string[];
  readonly first: number;
  readonly last: number;
}

interface ChangesBody {
  readonly changes: readonly ChangeBody[];
  readonly links: { readonly self: string; readonly next?: string };
}

let service: TokenService;
let member: TokenClient;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTokenService();
  member = await service.newToken({ description: 'deploy' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(member);
});
afterEach(() => audit(service.databaseFile));

const path = (rest: string): string => `/v1/domains/${zone.id}/${rest}`;
const change = <Body = PlanBody>(body: object, query = ''): Promise<Body> =>
  bodyOf<Body>(member.call('post', path(`changes${query}`), body));
const listed = (query = '', client = member): Promise<ChangesBody> =>
  bodyOf<ChangesBody>(client.call('get', path(`changes${query}`)));
const undo = (changeId: unknown, query = '') => member.call('post', path(`revert${query}`), { change_id: changeId });
const create = (name: string, data: string) => ({
  action: 'create',
  record: { name: zone.at(name), type: 'A', data },
});
/** The data of all records, by their names. */
const contents = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await zone.records()).map(({ name, data }) => [name, data]));
const latest = async (): Promise<ChangeBody> => (await listed('?limit=1')).changes[0]!;

describe('9.3 a dry run', () => {
  it('9.3 shows each record before and after, and the resulting domain', async () => {
    const [one, other] = [await zone.newRecord(), await zone.newRecord({ name: zone.at('b') })];
    const before = await contents();
    const { diff, use } = await change(
      {
        changes: [
          { action: 'update', id: one.id, record: { ttl: 60 } },
          { action: 'delete', id: other.id },
          create('c', '192.0.2.3'),
          create('d', '192.0.2.4'),
          { action: 'replace', name: zone.at('e'), type: 'A', records: [{ data: '192.0.2.5' }] },
        ],
      },
      '?dry_run=true',
    );
    expect(diff.map(({ action }) => action)).toEqual(['update', 'delete', 'create', 'create', 'create']);
    expect(diff[0]).toMatchObject({ before: { id: one.id, ttl: one.ttl }, after: { id: one.id, ttl: 60 } });
    expect(diff[1]).toMatchObject({ before: { id: other.id, domain_id: zone.id }, after: null });
    expect(diff[4]).toMatchObject({ before: null, after: { data: '192.0.2.5' } });
    expect(use).toEqual({ zone_records: 4, zone_recordsets: 4 });
    expect(await contents()).toEqual(before);
  });

  it('9.3 of a change without effect is empty; an applied change shows no plan', async () => {
    const record = await zone.newRecord();
    const same = { changes: [{ action: 'update', id: record.id, record: { data: record.data } }] };
    expect(await change(same, '?dry_run=true')).toMatchObject({ diff: [], use: { zone_records: 1 } });
    const done = await change(same);
    expect(done).not.toHaveProperty('diff');
    expect(done).not.toHaveProperty('use');
  });
});

describe('9.3 a message', () => {
  it('9.3, 11.1 is in the history of a change set, an import and a revert', async () => {
    await change({ changes: [create('a', '192.0.2.1'), create('b', '192.0.2.2')], message: 'Two <b>hosts</b>' });
    const [{ serial }] = (await listed()).changes as [ChangeBody];
    await zone.import('c A 192.0.2.3\n', '?message=from%20the%20file');
    await answerOf(member.call('post', path('revert'), { serial, message: 'again' }));
    const { changes } = await listed();
    expect(changes.map(({ message }) => message)).toEqual(['again', 'from the file', 'Two <b>hosts</b>', null]);
    const { history } = await bodyOf<HistoryBody>(member.call('get', path('history')));
    expect(history.map((entry) => (entry as { message?: unknown }).message).slice(0, 4)).toEqual([
      'again',
      'from the file',
      null,
      'Two <b>hosts</b>',
    ]);
  });

  it.each([['x'.repeat(501)], [5], [null], [['x']], ['\u0000']])('9.3 is not %p', async (message) => {
    const changes = [create('a', '192.0.2.1')];
    await refusalOf(member.call('post', path('changes'), { changes, message }), 400, 'invalid_object');
    await refusalOf(member.call('post', path('revert'), { serial: 1, message }), 400, 'invalid_object');
    await answerOf(member.call('post', path('changes?dry_run=true'), { changes, message: 'x'.repeat(500) }));
  });
});

describe('11.5 the history change by change', () => {
  it('11.5 has each change as a whole, with its author', async () => {
    const record = await zone.newRecord();
    await change({
      changes: [create('a', '192.0.2.1'), create('b', '192.0.2.2'), { action: 'delete', id: record.id }],
    });
    await answerOf(member.call('put', `/v1/domains/${zone.id}`, { ttl: 7200 }));
    const { changes, links } = await listed();
    expect(changes.map(({ records }) => records)).toEqual([
      { created: 0, updated: 0, deleted: 0 },
      { created: 2, updated: 0, deleted: 1 },
      { created: 1, updated: 0, deleted: 0 },
      { created: 0, updated: 0, deleted: 0 },
    ]);
    expect(changes.map(({ domain_actions }) => domain_actions)).toEqual([['domain.update'], [], [], ['domain.create']]);
    expect(changes.map(({ first, last }) => [first, last])).toEqual([
      [6, 6],
      [3, 5],
      [2, 2],
      [1, 1],
    ]);
    for (const [at, { serial_before }] of changes.entries())
      expect(serial_before).toBe(changes[at + 1]?.serial ?? null);
    expect(changes[1]!.actor).toEqual({
      tenant_id: 'acme',
      token_id: member.id,
      user: null,
      token_description: 'deploy',
    });
    expect(links).not.toHaveProperty('next');
    const { serial, serial_before } = changes[1]!;
    const shown = await bodyOf<DiffBody>(member.call('get', path(`diff?from=${serial_before}&to=${serial}`)));
    expect(shown.diff).toHaveLength(3);
  });

  it('11.5 continues by links, and never splits a change', async () => {
    for (const name of ['a', 'b', 'c'])
      await change({ changes: [create(name, '192.0.2.1'), create(name, '192.0.2.2')] });
    const seen: ChangeBody[] = [];
    for (let next: string | undefined = `${service.url}${path('changes?limit=1')}`; next !== undefined;) {
      const { pathname, search } = new URL(next);
      const page: ChangesBody = await bodyOf<ChangesBody>(member.call('get', pathname + search));
      seen.push(...page.changes);
      next = page.links.next;
    }
    expect(seen).toEqual((await listed()).changes);
    expect((await listed('?since=2100-01-01T00:00:00Z')).changes).toEqual([]);
  });

  it('11.5 is shown to the owner alone, of a deleted domain too', async () => {
    const other = await service.newToken({ tenantId: 'other' });
    await refusalOf(other.call('get', path('changes')), 404, 'domain_not_found');
    await answerOf(member.call('delete', `/v1/domains/${zone.id}`));
    await refusalOf(other.call('get', path('changes')), 404, 'domain_not_found');
    expect((await latest()).domain_actions).toContain('domain.delete');
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'], description: 'secret' });
    await answerOf(admin.call('get', path('changes')).set('X-Auth-All-Projects', 'true'));
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'marker=0', 'marker=x', 'since=never', 'name=x'])(
    '11.5 refuses %s',
    async (query) => {
      await refusalOf(member.call('get', path(`changes?${query}`)), 400, 'invalid_object');
    },
  );

  it('11.5 describes no token of an admin to others', async () => {
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'], description: 'secret' });
    const record = { name: zone.at('x'), type: 'A', data: '192.0.2.1' };
    await answerOf(admin.call('post', path('records'), record).set('X-Auth-Sudo-Tenant-ID', 'acme'));
    expect((await latest()).actor).toMatchObject({ token_id: admin.id, token_description: null });
  });
});

describe('11.3 the undoing of one change', () => {
  it('11.3 undoes its record changes, and nothing later', async () => {
    const [kept, gone] = [await zone.newRecord({ ttl: 300 }), await zone.newRecord({ name: zone.at('gone') })];
    const before = await contents();
    await change({
      changes: [
        create('new', '192.0.2.9'),
        { action: 'update', id: kept.id, record: { ttl: 60 } },
        { action: 'delete', id: gone.id },
      ],
    });
    const { change_id } = await latest();
    await zone.newRecord({ name: zone.at('later') });
    const tried = await bodyOf<PlanBody>(undo(change_id, '?dry_run=true'));
    expect(tried.diff.map(({ action }) => action).sort()).toEqual(['create', 'delete', 'update']);
    await answerOf(undo(change_id));
    expect(await contents()).toEqual({ ...before, [zone.at('later')]: expect.any(String) });
    expect((await zone.records()).map(({ id }) => id)).toEqual(expect.arrayContaining([kept.id, gone.id]));
  });

  it('11.3 of an undoing does it again', async () => {
    await change({ changes: [create('a', '192.0.2.1')] });
    const after = await contents();
    await answerOf(undo((await latest()).change_id));
    expect(await contents()).toEqual({});
    await answerOf(undo((await latest()).change_id));
    expect(await contents()).toEqual(after);
  });

  it('11.3 is refused for each record that has been changed since', async () => {
    const { changes } = await change({
      changes: [create('a', '192.0.2.1'), create('b', '192.0.2.2'), create('c', '192.0.2.3')],
    });
    const { change_id } = await latest();
    await answerOf(zone.update(changes[0]!.record!.id, { ttl: 60 }));
    await answerOf(zone.delete(changes[2]!.record!.id));
    const { errors } = await refusalOf(undo(change_id), 412, 'precondition_failed');
    expect(errors!.map(({ path: at }) => at)).toEqual(['diff[0]', 'diff[2]']);
    expect(Object.keys(await contents()).sort()).toEqual([zone.at('a'), zone.at('b')]);
  });

  it('11.3 undoes an import of many records', async () => {
    const lines = Array.from({ length: 700 }, (_, at) => `h${at} A 192.0.2.1\n`).join('');
    await zone.import(lines);
    const { change_id, first, last } = await latest();
    expect(last - first).toBe(699);
    await answerOf(undo(change_id));
    expect(await contents()).toEqual({});
  });

  it('11.3 rejects a missing change, and one of another domain', async () => {
    const theirs = await newDomain(member, 'elsewhere.example.');
    await theirs.newRecord();
    const { changes } = await bodyOf<ChangesBody>(member.call('get', `/v1/domains/${theirs.id}/changes`));
    for (const id of ['x', '', 'serial-5', '01900000-0000-7000-8000-000000000000', changes[0]!.change_id])
      await refusalOf(undo(id), 404, 'serial_not_found');
    for (const body of [{}, { serial: 1, change_id: 'x' }, { change_id: 5 }, { change_id: 'x'.repeat(37) }])
      await refusalOf(member.call('post', path('revert'), body), 400, 'invalid_object');
  });
});

describe('11.6 deleted domains', () => {
  interface DeletedBody {
    readonly deleted_domains: readonly { readonly id: string; readonly name: string; readonly actor: object }[];
    readonly links: { readonly next?: string };
  }
  const deleted = (query = '', client = member): Promise<DeletedBody> =>
    bodyOf<DeletedBody>(client.call('get', `/v1/deleted-domains${query}`));

  it('11.6 are listed for whose they were, page by page', async () => {
    const owner = await service.newToken({ tenantId: 'forgetful' });
    expect((await deleted('', owner)).deleted_domains).toEqual([]);
    const names = ['One.example.', 'two.example.'];
    for (const name of names) {
      const domain = await newDomain(owner, name);
      await answerOf(owner.call('delete', `/v1/domains/${domain.id}`));
    }
    const { deleted_domains, links } = await deleted('', owner);
    expect(deleted_domains.map(({ name }) => name)).toEqual(['two.example.', 'one.example.']);
    expect(deleted_domains[0]!.actor).toEqual({ tenant_id: 'forgetful', token_id: owner.id, user: null });
    expect(links).not.toHaveProperty('next');
    const next = new URL((await deleted('?limit=1', owner)).links.next!);
    expect((await deleted(next.search, owner)).deleted_domains).toEqual(deleted_domains.slice(1));
    await answerOf(owner.call('get', `/v1/domains/${deleted_domains[1]!.id}/changes`));
    const theirs = (await deleted()).deleted_domains.map(({ name }) => name);
    expect(theirs).not.toContain('one.example.');
  });

  it('11.6, 14.2 a scoped token sees those in its scope', async () => {
    const owner = await service.newToken({ tenantId: 'narrow' });
    for (const name of ['mine.example.', 'other.example.']) {
      const domain = await newDomain(owner, name);
      await answerOf(owner.call('delete', `/v1/domains/${domain.id}`));
    }
    const { token } = await bodyOf<{ token: string }>(owner.call('post', '/v1/tokens', { domains: ['mine.example.'] }));
    const { deleted_domains } = await deleted('', service.holding(token));
    expect(deleted_domains.map(({ name }) => name)).toEqual(['mine.example.']);
    for (const query of ['?limit=0', '?x=1'])
      await refusalOf(owner.call('get', `/v1/deleted-domains${query}`), 400, 'invalid_object');
  });
});
