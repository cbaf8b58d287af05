import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import { AUDIT_ON, auditPages } from '../support/audit-entries.js';
import { newDomain } from '../support/domain.js';
import { type Method, startTestService, type TestService } from '../support/service.js';
import { WEBHOOKS_ON } from '../support/webhook-receiver.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    ...WEBHOOKS_ON,
    ...AUDIT_ON,
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.,ns2.example.net.',
    SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas,webhooks',
  });
});
afterAll(() => service.stop());

type Body = Readonly<Record<string, unknown>>;

interface Resource {
  readonly path: string;
  readonly method: Method;
  /** The fields that a caller may send. */
  readonly fields?: readonly string[];
  /** A change that is one. */
  readonly change: Body;
}

async function made(path: string, fields: Body): Promise<string> {
  const answer = await service.call('post', path, fields);
  expect(answer.status).toBeLessThan(300);
  return `${path}/${String((answer.body as Body).id)}`;
}

const V2_KEY = {
  ...{ name: 'Sent.Back', algorithm: 'hmac-sha256', secret: 'c2VjcmV0IG9mIHRoZSBhdWRpdA==', scope: 'POOL' },
  resource_id: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4',
};
const POOL = { name: 'second', description: 'd', ns_records: [{ hostname: 'Ns.example.org.', priority: 1 }] };
const HOOK = { url: 'http://127.0.0.1:9/a?b=c', description: 'd', actions: ['record.create', 'record.update'] };

const RESOURCES: readonly [name: string, make: () => Promise<Resource>][] = [
  [
    'a TLD',
    async () => ({
      path: await made('/v2/tlds', { name: 'Example.Org', description: 'd' }),
      ...({ method: 'patch', fields: ['name', 'description'], change: { description: 'other' } } as const),
    }),
  ],
  [
    'an entry of the blacklist',
    async () => ({
      path: await made('/v2/blacklists', { pattern: '^sent-back', description: 'd' }),
      ...({ method: 'patch', fields: ['pattern', 'description'], change: { pattern: '^other' } } as const),
    }),
  ],
  [
    'a TSIG key',
    async () => ({
      path: await made('/v2/tsigkeys', V2_KEY),
      ...({ method: 'patch', fields: Object.keys(V2_KEY), change: { name: 'other' } } as const),
    }),
  ],
  [
    'a pool',
    async () => ({
      path: await made('/v2/pools', POOL),
      ...({ method: 'patch', fields: [...Object.keys(POOL), 'project_id'], change: { description: null } } as const),
    }),
  ],
  [
    'the pool of all zones',
    async () => {
      const { pools } = await bodyOf<{ pools: Body[] }>(service.call('get', '/v2/pools?name=default'));
      const fields = [...Object.keys(POOL), 'project_id'];
      return { path: `/v2/pools/${String(pools[0]?.id)}`, method: 'patch', fields, change: { description: 'other' } };
    },
  ],
  [
    'a transfer request',
    async () => {
      const { id } = await newDomain(service);
      const offer = { description: 'd', target_project_id: 'tenant-b' };
      const { id: requestId } = await bodyOf<{ id: string }>(
        service.call('post', `/v2/zones/${id}/tasks/transfer_requests`, offer),
        201,
      );
      const path = `/v2/zones/tasks/transfer_requests/${requestId}`;
      return { path, method: 'patch', fields: Object.keys(offer), change: { description: null } };
    },
  ],
  [
    'a webhook',
    async () => ({
      path: await made('/v1/webhooks', HOOK),
      method: 'patch',
      fields: [...Object.keys(HOOK), 'enabled', 'domains'],
      change: { description: null },
    }),
  ],
  ['the quotas of a tenant in version 1', () => quotas('/v1/quotas/tenant-v1', 'put', { domains: 7 })],
  ['the quotas of a project in version 2', () => quotas('/v2/quotas/tenant-a', 'patch', { zones: 7 })],
  [
    'the quotas of a tenant in the extension',
    async () => ({
      path: '/admin/quotas/tenant-admin',
      method: 'patch',
      change: { quota: { zones: 7 } },
    }),
  ],
];

const quotas = (path: string, method: Method, change: Body): Promise<Resource> =>
  Promise.resolve({ path, method, change });

const auditEntries = async (): Promise<unknown[]> => (await auditPages(service, 'limit=1000')).flat();

describe.each(RESOURCES)('%s', (_, make) => {
  it('1.15 is unchanged, without an audit entry, after it is sent back unchanged', async () => {
    const { path, method, fields, change } = await make();
    const expectNeutral = async (): Promise<void> => {
      const before = await bodyOf<Body>(service.call('get', path));
      const told = await auditEntries();
      const sent = Object.fromEntries(Object.entries(before).filter(([field]) => fields?.includes(field) ?? true));
      const answer = await service.call(method, path, sent);
      expect([answer.status < 300, answer.body]).toEqual([true, expect.objectContaining(before)]);
      expect(await bodyOf(service.call('get', path))).toEqual(before);
      expect(await auditEntries()).toEqual(told);
    };
    await expectNeutral();
    const told = await auditEntries();
    expect((await service.call(method, path, change)).status).toBeLessThan(300);
    expect((await auditEntries()).length).toBe(told.length + 1);
    await expectNeutral();
  });
});

describe('quotas that are sent back', () => {
  it('8.3, 1.15 go on to follow the defaults, apart from the one that is changed', async () => {
    const path = '/v2/quotas/tenant-defaults';
    const admin = service.as('tenant-defaults', 'admin');
    const read = await bodyOf<Body>(admin.call('get', path));
    await answerOf(admin.call('patch', path, { ...read, zones: 3 }));
    const [entry] = (await auditPages(service, 'limit=1')).flat();
    expect(entry?.details).toEqual({ zones: 3 });
  });
});

describe('unreadable fields', () => {
  it('1.15 still refuses another list of name servers for the pool of all zones, and names that are taken', async () => {
    const { pools } = await bodyOf<{ pools: Body[] }>(service.call('get', '/v2/pools?name=default'));
    const path = `/v2/pools/${String(pools[0]?.id)}`;
    expectStatus(
      await service.call('patch', path, { ns_records: [{ hostname: 'ns9.example.net.', priority: 1 }] }),
      400,
    );
    await made('/v2/tlds', { name: 'example.com' });
    const other = await made('/v2/tlds', { name: 'example.net' });
    expectStatus(await service.call('patch', other, { name: 'Example.com' }), 409);
    await refusalOf(
      service.call('patch', '/v1/webhooks/019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4', HOOK),
      404,
      'webhook_not_found',
    );
  });
});
