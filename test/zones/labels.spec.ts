import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

type Labels = Readonly<Record<string, string>>;

interface Labeled extends DomainBody {
  readonly labels?: Labels;
}

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  client = service.as('labels');
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

function label({ id }: Pick<DomainBody, 'id'>, labels: unknown): Promise<Labeled> {
  return bodyOf<Labeled>(client.call('put', `/v1/domains/${id}`, { labels }));
}

async function namesOf(path: string, field: 'domains' | 'zones', of: Client = client): Promise<string[]> {
  const body = await bodyOf<Record<string, DomainBody[]>>(of.call('get', path));
  return body[field]!.map(({ name }) => name).sort();
}

describe('labels of a domain', () => {
  it('7.7 are shown by both versions, and stay until they are sent', async () => {
    const domain = await newDomain(client);
    expect(await domain.now()).not.toHaveProperty('labels');
    const changed = await label(domain, { team: 'web', 'example.org/env': 'prod' });
    expect(changed.labels).toEqual({ team: 'web', 'example.org/env': 'prod' });
    expect(changed.serial).toBe(domain.serial);
    expect(changed.updated_at).not.toBeNull();
    const zone = await bodyOf<Labeled>(client.call('get', `/v2/zones/${domain.id}`));
    expect(zone.labels).toEqual(changed.labels);
    const patched = client.call('patch', `/v2/zones/${domain.id}`, { labels: { team: 'dns' }, ttl: 60 });
    expect((await bodyOf<Labeled>(patched, 202)).labels).toEqual({ team: 'dns' });
    await answerOf(client.call('put', `/v1/domains/${domain.id}`, { description: 'new' }));
    expect(((await domain.now()) as Labeled).labels).toEqual({ team: 'dns' });
    expect(await label(domain, {})).not.toHaveProperty('labels');
  });

  it.each([
    ['labels.-team', { '-team': 'web' }],
    ['labels.a/b/c', { 'a/b/c': 'web' }],
    [`labels.${'k'.repeat(64)}`, { ['k'.repeat(64)]: '' }],
    ['labels.team', { team: 'v'.repeat(64) }],
    ['labels.team', { team: 'a b' }],
    ['labels.team', { team: 1 }],
    ['labels', Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, '']))],
    ['labels', ['team']],
    ['labels', null],
  ])('7.7 are refused with the field %s', async (path, labels) => {
    const body = { name: freshName(), email: 'a@example.org', labels };
    const { errors } = await refusalOf(client.call('post', '/v1/domains', body), 400, 'invalid_object');
    expect(errors?.map((error) => error.path)).toEqual([path]);
    await answerOf(client.call('post', '/v2/zones', body), 400);
  });

  it('7.7 filter the lists of both versions, and all filters must hold', async () => {
    const tenant = service.as(freshName());
    const made = async (labels: Labels): Promise<string> => {
      const body = { name: freshName(), email: 'a@example.org', labels };
      return (await bodyOf<DomainBody>(tenant.call('post', '/v1/domains', body))).name;
    };
    const [web, dns] = [await made({ team: 'web', env: 'prod' }), await made({ team: 'dns', env: 'prod' })];
    await newDomain(tenant);
    for (const [query, names] of [
      ['label=env', [web, dns]],
      ['label=env=prod', [web, dns]],
      ['label=env=prod&label=team=web', [web]],
      ['label=team=we', []],
      ['label=none', []],
      [`label=env&name=${dns}`, [dns]],
    ] as const) {
      expect(await namesOf(`/v1/domains?${query}`, 'domains', tenant)).toEqual([...names].sort());
      expect(await namesOf(`/v2/zones?${query}`, 'zones', tenant)).toEqual([...names].sort());
    }
    const page = await bodyOf<{ domains: Labeled[]; links: { next?: string } }>(
      tenant.call('get', '/v1/domains?label=env&limit=1'),
    );
    expect([page.domains.length, page.links.next !== undefined]).toEqual([1, true]);
    const zones = await bodyOf<{ zones: { id: string; name: string }[]; metadata: { total_count: number } }>(
      tenant.call('get', '/v2/zones?label=env=prod&limit=1'),
    );
    expect([zones.zones[0]!.name, zones.metadata.total_count]).toEqual([web, 2]);
    const marker = zones.zones[0]!.id;
    expect(await namesOf(`/v2/zones?label=env=prod&limit=1&marker=${marker}`, 'zones', tenant)).toEqual([dns]);
    expect(await namesOf('/v2/zones?label=env=prod&name=*example.org.', 'zones', tenant)).toEqual([web, dns].sort());
    const all = await bodyOf<{ zones: { name: string }[] }>(
      service.as('admin', 'admin').call('get', '/v2/zones?label=team=web').set('X-Auth-All-Projects', 'true'),
    );
    expect(all.zones.map(({ name }) => name)).toContain(web);
    await refusalOf(tenant.call('get', '/v1/domains?label=-'), 400, 'invalid_object');
    await answerOf(tenant.call('get', '/v2/zones?label=a%20b'), 400);
    await answerOf(tenant.call('get', `/v2/zones?${'label=a&'.repeat(9)}`), 400);
    await answerOf(service.as('admin', 'admin').call('get', '/v2/tlds?label=a'), 400);
  });

  it('7.7 list their domains in canonical order, page by page', async () => {
    const tenant = service.as(freshName());
    const suffix = freshName();
    const made = async (prefix: string, labels: Labels): Promise<string> => {
      const body = { name: `${prefix}.${suffix}`, email: 'a@example.org', labels };
      return (await bodyOf<DomainBody>(tenant.call('post', '/v1/domains', body))).name;
    };
    const list = async (query: string): Promise<{ names: string[]; total?: number }> => {
      const body = await bodyOf<{ domains: DomainBody[]; count?: { total: number } }>(
        tenant.call('get', `/v1/domains?sort=${query}`),
      );
      return { names: body.domains.map(({ name }) => name), ...(body.count && { total: body.count.total }) };
    };
    const c = await made('c', { env: 'prod', team: 'web' });
    await made('d', { other: '' });
    const a = await made('a', { env: 'test', team: 'web' });
    const b = await made('B', { env: 'prod' });
    for (const [query, names] of [
      ['name&label=env', [a, b, c]],
      ['-name&label=env', [c, b, a]],
      ['name&label=env=prod', [b, c]],
      ['name&label=env&limit=1&offset=1', [b]],
      ['-name&label=env=prod&limit=1&offset=1', [b]],
      ['name&label=env&label=team=web', [a, c]],
      [`name&label=env&q=c.${suffix}`, [c]],
      ['created&label=env', [c, a, b]],
    ] as const)
      expect([query, (await list(query)).names]).toEqual([query, names]);
    expect(await list('name&label=env&limit=1&count=true')).toEqual({ names: [a], total: 3 });
  });

  it('7.7, 11.1, 11.3 are in the history with the present serial, and are undone', async () => {
    const domain = await newDomain(client);
    await label(domain, { team: 'web' });
    const path = `/v1/domains/${domain.id}`;
    const { changes } = await bodyOf<{ changes: ChangeBody[] }>(client.call('get', `${path}/changes`));
    expect(changes[0]).toMatchObject({
      ...{ serial: domain.serial, serial_before: domain.serial, domain_actions: ['domain.update'] },
    });
    const { history } = await bodyOf<{ history: HistoryBody[] }>(client.call('get', `${path}/history`));
    expect(history[0]!.domain!.before).not.toHaveProperty('labels');
    expect(history[0]!.domain!.after.labels).toEqual({ team: 'web' });
    await answerOf(client.call('post', `${path}/revert`, { change_id: changes[0]!.change_id }));
    expect(await domain.now()).toMatchObject({ serial: domain.serial });
    expect(await domain.now()).not.toHaveProperty('labels');
    await label(domain, { team: 'dns' });
    await answerOf(client.call('post', `${path}/revert`, { change_id: changes[0]!.change_id }), 412);
  });

  it('7.7, 11.7 return with a domain that is made again', async () => {
    const domain = await newDomain(client);
    await label(domain, { team: 'web' });
    await answerOf(client.call('delete', `/v1/domains/${domain.id}`));
    expect(await namesOf('/v1/domains?label=team=web', 'domains')).not.toContain(domain.name);
    const restored = client.call('post', `/v1/deleted-domains/${domain.id}/restore`);
    expect((await bodyOf<Labeled>(restored)).labels).toEqual({ team: 'web' });
    expect(await namesOf('/v1/domains?label=team=web', 'domains')).toContain(domain.name);
  });

  it('7.7, 13.9 follow the domain to another project', async () => {
    const domain = await newDomain(client);
    await label(domain, { moved: 'yes' });
    const offer = client.call('post', `/v2/zones/${domain.id}/tasks/transfer_requests`, {});
    const { id, key } = await bodyOf<{ id: string; key: string }>(offer, 201);
    const heir = service.as('heir');
    await bodyOf(heir.call('post', '/v2/zones/tasks/transfer_accepts', { zone_transfer_request_id: id, key }), 201);
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(heir.call('get', '/v1/domains?label=moved'));
    expect(domains.map(({ name }) => name)).toEqual([domain.name]);
    expect(await namesOf('/v1/domains?label=moved', 'domains')).toEqual([]);
  });
});

interface ChangeBody {
  readonly change_id: string;
}

interface HistoryBody {
  readonly domain: { readonly before: Labeled; readonly after: Labeled } | null;
  readonly record_set?: object;
}

interface SetBody {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly labels: Labels;
}

describe('labels of a record set', () => {
  let domain: TestDomain;
  beforeAll(async () => {
    domain = await newDomain(client);
  });

  function change(...changes: object[]) {
    return client.call('post', `/v1/domains/${domain.id}/changes`, { changes });
  }

  async function labeled(query = ''): Promise<Record<string, Labels>> {
    const path = `/v1/domains/${domain.id}/labels${query}`;
    const { record_sets } = await bodyOf<{ record_sets: SetBody[] }>(client.call('get', path));
    return Object.fromEntries(record_sets.map(({ name, type, labels }) => [`${name} ${type}`, labels]));
  }

  const entry = (name: string, labels: unknown, type = 'A') => ({ action: 'label', name, type, labels });
  const record = (name: string, data = '192.0.2.1') => ({ action: 'create', record: { name, type: 'A', data } });

  it('7.8 come with its records in one change set, and alone keep the serial', async () => {
    const name = domain.at('www');
    const made = await bodyOf<{ serial: number; changes: { action: string }[] }>(
      change(entry(name, { owner: 'deploy' }), record(name)),
    );
    expect(made.changes.map(({ action }) => action)).toEqual(['label', 'create']);
    expect(made.serial).toBeGreaterThan(domain.serial);
    const { serial } = await bodyOf<{ serial: number }>(change(entry(name, { owner: 'deploy', env: 'prod' })));
    expect(serial).toBe(made.serial);
    expect(await labeled()).toEqual({ [`${name} A`]: { env: 'prod', owner: 'deploy' } });
    const tried = client.call('post', `/v1/domains/${domain.id}/changes?dry_run=true`, { changes: [entry(name, {})] });
    expect(await bodyOf(tried)).toMatchObject({
      ...{ serial, diff: [] },
      labels: [{ name, type: 'A', before: { owner: 'deploy', env: 'prod' }, after: {} }],
    });
    expect(await labeled('?label=owner=deploy&label=env')).toHaveProperty([`${name} A`]);
    expect(await labeled('?label=owner=other')).toEqual({});
    expect(await labeled(`?name=${name.toUpperCase()}`)).toHaveProperty([`${name} A`]);
    expect(await labeled(`?name=${name}&label=owner=other`)).toEqual({});
    await answerOf(client.call('get', `/v1/domains/${domain.id}/labels?name=a..b`), 400);
  });

  it('7.8 stay while interfaces without them change and replace its records', async () => {
    const name = domain.at('kept');
    await answerOf(change(record(name), entry(name, { owner: 'deploy' })));
    await answerOf(change({ action: 'replace', name, type: 'A', records: [{ data: '192.0.2.9' }] }));
    await domain.import(`${name} 60 IN A 192.0.2.10\n`);
    await domain.import(`$ORIGIN ${domain.name}\n${name} 60 IN A 192.0.2.11\nwww 60 IN A 192.0.2.1\n`, '?mode=replace');
    const sets = await bodyOf<{ recordsets: (SetBody & { records: string[] })[] }>(
      client.call('get', `/v2/zones/${domain.id}/recordsets?label=owner=deploy&name=${name}`),
    );
    expect(sets.recordsets).toMatchObject([{ name, records: ['192.0.2.11'], labels: { owner: 'deploy' } }]);
    await answerOf(client.call('put', `/v2/zones/${domain.id}/recordsets/${sets.recordsets[0]!.id}`, { ttl: 99 }), 202);
    expect(await labeled()).toHaveProperty([`${name} A`], { owner: 'deploy' });
  });

  it('7.8 are set and shown by version 2', async () => {
    const name = domain.at('v2');
    const path = `/v2/zones/${domain.id}/recordsets`;
    const body = { name, type: 'A', records: ['192.0.2.1'], labels: { owner: 'v2' } };
    const made = await bodyOf<SetBody>(client.call('post', path, body), 202);
    expect(made.labels).toEqual({ owner: 'v2' });
    const changed = client.call('put', `${path}/${made.id}`, { labels: { owner: 'v2', env: 'test' } });
    expect((await bodyOf<SetBody>(changed, 202)).labels).toEqual({ env: 'test', owner: 'v2' });
    for (const list of [path, '/v2/recordsets'])
      for (const query of ['label=env=test', 'label=owner=v2', 'label=owner=v2&label=env'])
        expect(
          (await bodyOf<{ recordsets: SetBody[] }>(client.call('get', `${list}?${query}`))).recordsets,
        ).toMatchObject([{ name, labels: { env: 'test' } }]);
    expect((await bodyOf<SetBody>(client.call('get', `${path}/${made.id}`))).labels).toEqual({
      env: 'test',
      owner: 'v2',
    });
    await answerOf(client.call('put', `${path}/${made.id}`, { labels: { '': 'x' } }), 400);
    const empty = await bodyOf<SetBody>(
      client.call('post', path, { name: domain.at('e'), type: 'A', labels: { a: '' } }),
      201,
    );
    expect(empty.labels).toEqual({ a: '' });
    expect(await bodyOf<SetBody>(client.call('put', `${path}/${empty.id}`, { labels: {} }))).not.toHaveProperty(
      'labels',
    );
  });

  it('7.8, 11.3 are in the history, and are undone with the change', async () => {
    const name = domain.at('undone');
    await answerOf(change(record(name), entry(name, { owner: 'deploy' })));
    const latest = async (): Promise<string> => {
      const list = client.call('get', `/v1/domains/${domain.id}/changes?limit=1`);
      return (await bodyOf<{ changes: ChangeBody[] }>(list)).changes[0]!.change_id;
    };
    const creation = await latest();
    await answerOf(change(entry(name, { owner: 'other' })));
    const { history } = await bodyOf<{ history: HistoryBody[] }>(
      client.call('get', `/v1/domains/${domain.id}/history?limit=1`),
    );
    expect(history[0]!.record_set).toEqual({ name, type: 'A', before: { owner: 'deploy' }, after: { owner: 'other' } });
    const undo = (change_id: string) => client.call('post', `/v1/domains/${domain.id}/revert`, { change_id });
    await answerOf(undo(creation), 412);
    await answerOf(undo(await latest()));
    expect(await labeled()).toHaveProperty([`${name} A`], { owner: 'deploy' });
    const { records } = await bodyOf<{ records: { id: string }[] }>(domain.list(`?name=${name}`));
    await answerOf(domain.delete(records[0]!.id));
    expect(await labeled()).not.toHaveProperty([`${name} A`]);
    await answerOf(undo(await latest()));
    expect(await labeled()).toHaveProperty([`${name} A`], { owner: 'deploy' });
    await answerOf(undo(await latest()));
    await answerOf(undo(creation), 412);
  });

  it('7.8, 9.4 are refused without records, or twice in a change set', async () => {
    const name = domain.at('none');
    const refused = await refusalOf(change(entry(name, { a: 'b' })), 400, 'invalid_object');
    expect(refused.errors?.map(({ path }) => path)).toEqual(['changes[0].name']);
    await answerOf(change(record(name), entry(name, { a: 'b' }), entry(name, { a: 'c' })), 400);
    await answerOf(change(record(name), entry(name, { 'a b': 'c' })), 400);
    await answerOf(change(record(name), entry(name, { a: 'b' }, 'NONE')), 400);
    const zones = service.as('stranger').call('get', `/v1/domains/${domain.id}/labels`);
    await answerOf(zones, 404);
  });

  it('7.8 are listed page by page', async () => {
    const names = Array.from({ length: 5 }, (_, at) => domain.at(`p${at}`));
    await answerOf(change(...names.flatMap((name) => [record(name), entry(name, { page: 'x', n: name.slice(0, 2) })])));
    const seen: string[] = [];
    for (let query = '?label=page&limit=2'; query !== '';) {
      const page = await bodyOf<{ record_sets: SetBody[]; links: { next?: string } }>(
        client.call('get', `/v1/domains/${domain.id}/labels${query}`),
      );
      seen.push(...page.record_sets.map(({ name }) => name));
      query = page.links.next === undefined ? '' : new URL(page.links.next).search;
    }
    expect(seen).toEqual(names);
  });
});
