import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { answerOf, bodyOf, refusalOf, UUID } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { AUDIT_ON, auditPage } from '../support/audit-entries.js';
import { freshName } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

interface TemplateBody {
  readonly id: string;
  readonly name: string;
  readonly tenant_id: string | null;
  readonly built_in: boolean;
  readonly description: string | null;
  readonly records: readonly { readonly name: string; readonly type: string; readonly data: string }[];
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

const PATH = '/v1/templates';
const BUILT_IN = ['caa-letsencrypt', 'fastmail', 'google-workspace', 'microsoft-365', 'no-mail', 'parked'];
const WEB = { name: '@', type: 'A', data: '192.0.2.1' };
const MAIL = { name: '@', type: 'MX', data: 'mail.{zone}.', priority: 10 };

let service: TestService;
let tenants = 0;
let client: Client;
let tenant: string;

beforeAll(async () => {
  service = await startTestService({
    ...AUDIT_ON,
    SERVICE_TEMPLATES__MAX_TEMPLATES: '60',
    SERVICE_TEMPLATES__MAX_RECORDS: '200',
  });
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

function newTenant(): Client {
  tenant = `tenant-${(tenants += 1)}`;
  client = service.as(tenant);
  return client;
}

const create = (fields: object, by = client): Test => by.call('post', PATH, { name: 'web', records: [WEB], ...fields });
const newTemplate = (fields: object = {}, by = client): Promise<TemplateBody> =>
  bodyOf<TemplateBody>(create(fields, by));
const list = async (by = client): Promise<TemplateBody[]> =>
  (await bodyOf<{ templates: TemplateBody[] }>(by.call('get', PATH))).templates;
const namesOf = (templates: readonly TemplateBody[]): string[] => templates.map(({ name }) => name).sort();
const faultsOf = async (request: Test, type = 'invalid_object', status = 400): Promise<string[]> =>
  ((await refusalOf(request, status, type)).errors ?? []).map(({ path }) => path);

describe('28.3 the templates of a tenant', () => {
  it('28.3 are created, shown, listed, changed and deleted', async () => {
    newTenant();
    const made = await answerOf(create({ description: 'Ours', records: [WEB, MAIL] }));
    const template = made.body as TemplateBody;
    expect(template).toMatchObject({ name: 'web', tenant_id: tenant, built_in: false, updated_at: null });
    expect(template).toMatchObject({ description: 'Ours', records: [WEB, MAIL], id: expect.stringMatching(UUID) });
    const got = await answerOf(client.call('get', `${PATH}/${template.id}`));
    expect([got.body, got.headers.etag]).toEqual([template, made.headers.etag]);
    expect(namesOf(await list())).toEqual([...BUILT_IN, 'web'].sort());
    const changed = await bodyOf<TemplateBody>(client.call('patch', `${PATH}/${template.id}`, { name: 'site' }));
    expect(changed).toEqual({ ...template, name: 'site', updated_at: expect.any(String) });
    await answerOf(client.call('delete', `${PATH}/${template.id}`));
    expect(namesOf(await list())).toEqual(BUILT_IN);
    expect(await faultsOf(client.call('get', `${PATH}/${template.id}`), 'template_not_found', 404)).toEqual([]);
  });

  it('28.3 are listed completely, also more than the service reads at a time', async () => {
    const many = Array.from({ length: 60 }, (_, at) => `many-${at}`);
    for (const name of many) await newTemplate({ name, for_all_tenants: true }, service);
    await newTemplate({ name: 'own' }, newTenant());
    const found = await list();
    expect(namesOf(found)).toEqual([...BUILT_IN, ...many, 'own'].sort());
    for (const { id } of found.filter(({ name }) => many.includes(name)))
      await answerOf(service.call('delete', `${PATH}/${id}`));
  });

  it('28.3 belong to one tenant, have one name each, and are changed only as they were read', async () => {
    const { id } = await newTemplate({}, newTenant());
    const other = await newTemplate({ name: 'other' });
    expect(await faultsOf(create({}), 'duplicate_template', 409)).toEqual(['name']);
    const rename = client.call('patch', `${PATH}/${other.id}`, { name: 'web' });
    expect(await faultsOf(rename, 'duplicate_template', 409)).toEqual(['name']);
    const tag = (await answerOf(client.call('get', `${PATH}/${id}`))).headers.etag as string;
    await answerOf(client.call('patch', `${PATH}/${id}`, { description: 'x' }).set('If-Match', tag));
    for (const request of [
      client.call('patch', `${PATH}/${id}`, { description: 'y' }),
      client.call('delete', `${PATH}/${id}`),
    ])
      await refusalOf(request.set('If-Match', tag), 412, 'precondition_failed');
    newTenant();
    await newTemplate();
    for (const method of ['get', 'patch', 'delete'] as const)
      await refusalOf(
        client.call(method, `${PATH}/${id}`, method === 'patch' ? {} : undefined),
        404,
        'template_not_found',
      );
    await refusalOf(
      service.as(tenant, 'reader').call('post', PATH, { name: 'r', records: [WEB] }),
      401,
      'access_denied',
    );
    expect(namesOf(await list(service.as(tenant, 'reader')))).toContain('web');
  });

  it('28.3 of all tenants are made by admins alone, and come behind those of the tenant', async () => {
    newTenant();
    await refusalOf(create({ name: 'shared', for_all_tenants: true }), 401, 'access_denied');
    const shared = await newTemplate({ name: 'shared', for_all_tenants: true }, service);
    expect(shared.tenant_id).toBeNull();
    expect((await list()).find(({ name }) => name === 'shared')).toEqual(shared);
    for (const method of ['patch', 'delete'] as const)
      await refusalOf(
        client.call(method, `${PATH}/${shared.id}`, method === 'patch' ? {} : undefined),
        401,
        'access_denied',
      );
    const own = await newTemplate({ name: 'shared' });
    const parked = await newTemplate({ name: 'parked' });
    const named = (await list()).filter(({ name }) => ['shared', 'parked'].includes(name));
    expect(named.map(({ id }) => id).sort()).toEqual([own.id, parked.id].sort());
    await answerOf(service.call('delete', `${PATH}/${shared.id}`));
  });

  it('28.3 are in the audit', async () => {
    const { id } = await newTemplate({ name: 'audited' }, newTenant());
    await answerOf(client.call('patch', `${PATH}/${id}`, { description: 'x' }));
    await answerOf(client.call('delete', `${PATH}/${id}`));
    const { audit: entries } = await auditPage(service, 'action=template');
    expect(entries.slice(0, 3).map(({ action, subject }) => [action, subject])).toEqual(
      ['delete', 'update', 'create'].map((verb) => [`template.${verb}`, { id, name: 'audited' }]),
    );
  });
});

describe('28.3 the built-in templates', () => {
  it('28.3 cannot change', async () => {
    newTenant();
    const { id } = (await list()).find(({ name }) => name === 'parked')!;
    expect((await bodyOf<TemplateBody>(client.call('get', `${PATH}/${id}`))).built_in).toBe(true);
    for (const by of [client, service]) {
      await refusalOf(by.call('patch', `${PATH}/${id}`, { description: 'x' }), 400, 'bad_request');
      await refusalOf(by.call('delete', `${PATH}/${id}`), 400, 'bad_request');
    }
  });

  it('28.3 are valid in a new domain', async () => {
    newTenant();
    for (const { name, records } of await list()) {
      const domain = { name: freshName(), email: 'hostmaster@example.org', template: name };
      const { id } = await bodyOf(client.call('post', '/v1/domains', domain));
      const { records: stored } = await bodyOf<{ records: object[] }>(client.call('get', `/v1/domains/${id}/records`));
      expect(stored).toHaveLength(records.length);
    }
  });
});

describe('28.2 a template is judged when it is stored', () => {
  const REFUSED: readonly (readonly [title: string, records: readonly object[], path: string, type?: string])[] = [
    ['no records', [], 'records'],
    ['an unknown type', [{ ...WEB, type: 'NOPE' }], 'records[0].type'],
    ['an SOA record', [{ name: '@', type: 'SOA', data: '. . 1 2 3 4 5' }], 'records[0].type'],
    ['invalid data', [WEB, { ...WEB, name: 'www', data: '192.0.2.300' }], 'records[1].data'],
    ['a missing priority', [{ ...MAIL, priority: null }], 'records[0].priority'],
    ['a name of another domain', [{ ...WEB, name: 'www.example.org.' }], 'records[0].name'],
    ['a name that only looks like one of the domain', [{ ...WEB, name: 'x{zone}.' }], 'records[0].name'],
    ['a name that is too long', [{ ...WEB, name: Array<string>(130).fill('a').join('.') }], 'records[0].name'],
    ['a TTL of 0', [{ ...WEB, ttl: 0 }], 'records[0].ttl'],
    ['an unknown field', [{ ...WEB, expires_at: null }], 'records[0].expires_at'],
    ['a record twice', [WEB, { ...WEB, name: '{zone}.' }], '', 'duplicate_record'],
    [
      'a CNAME next to another record',
      [
        { ...WEB, name: 'www' },
        { name: 'www.{zone}.', type: 'CNAME', data: '{zone}.' },
      ],
      'records[0].name',
      'invalid_recordset_location',
    ],
    [
      'a CNAME at the apex',
      [{ name: '@', type: 'CNAME', data: 'a.example.' }],
      'records[0].name',
      'invalid_recordset_location',
    ],
  ];
  it.each(REFUSED)('28.2 refuses %s', async (_, records, path, type = 'invalid_object') => {
    newTenant();
    const status = type === 'duplicate_record' ? 409 : 400;
    const faults = await faultsOf(create({ records }), type, status);
    if (path !== '') expect(faults[0]).toBe(path);
    expect(namesOf(await list())).toEqual(BUILT_IN);
  });

  it.each(['', 'Web', 'a b', '-a', 'a-', 'a..b', '{zone}', 'a'.repeat(64), 'ü', '../x'])(
    '28.3 refuses the name %j',
    async (name) => {
      newTenant();
      expect(await faultsOf(create({ name }))).toEqual(['name']);
    },
  );

  it('28.2 limits the records and octets of a template, and the templates of a tenant', async () => {
    newTenant();
    const records = (count: number, data = '"x"') =>
      Array.from({ length: count }, (_, at) => ({ name: `r${at}`, type: 'TXT', data }));
    await newTemplate({ name: 'full', records: records(200) });
    expect(await faultsOf(create({ records: records(201) }))).toEqual(['records']);
    expect(await faultsOf(create({ records: records(1001) }))).toEqual(['records']);
    expect(
      await faultsOf(
        create({ records: records(200, `"${'x'.repeat(250)}" "${'x'.repeat(250)}" "${'x'.repeat(250)}"`) }),
      ),
    ).toEqual(['records']);
    expect(await faultsOf(create({ records: records(200, '"{zone} {zone} {zone}"') }))).toEqual(['records']);
    for (let at = 2; at <= 60; at += 1) await newTemplate({ name: `t${at}` });
    await refusalOf(create({ name: 'last' }), 413, 'over_quota');
    const { id } = (await list()).find(({ name }) => name === 'full')!;
    expect(await faultsOf(client.call('patch', `${PATH}/${id}`, { records: records(201) }))).toEqual(['records']);
    await answerOf(client.call('delete', `${PATH}/${id}`));
    await newTemplate({ name: 'last' });
  });

  it('28.2 one of several created at the same time gets the name and the last place', async () => {
    newTenant();
    for (let at = 0; at < 59; at += 1) await newTemplate({ name: `t${at}` });
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => (await create({ name: at % 2 === 0 ? 'same' : `other${at}` })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 409, 413].includes(status))).toBe(true);
    expect(await list()).toHaveLength(BUILT_IN.length + 60);
  });
});
