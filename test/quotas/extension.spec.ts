import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectRefusal } from '../support/answers.js';
import { startTestService, type Settings, type TestService } from '../support/service.js';

const ADMIN_ON = { SERVICE_API__ENABLE_API_ADMIN: 'True', SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas' };
const V1_ON = { SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas' };
const PATHS = ['/admin/quotas/acme', '/quotas/acme', '/v1/quotas/acme'];

describe('the quotas extension', () => {
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const OFF: readonly [title: string, settings: Settings][] = [
    ['by default', {}],
    ['with enable_api_admin alone', { SERVICE_API__ENABLE_API_ADMIN: 'True' }],
    ['with enabled_extensions_admin alone', { SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas' }],
  ];

  it.each(OFF)('8.5 answers 404 on every quota path and is in no document: %s', async (_, settings) => {
    service = await startTestService(settings);
    for (const path of PATHS)
      for (const method of ['get', 'patch', 'put', 'post', 'delete'] as const)
        expect((await service.call(method, path, { quota: {} })).status).toBe(404);
    const { body } = await service.plain('get', '/openapi.json');
    expect(Object.keys(body.paths as object).filter((path) => path.includes('quotas'))).toEqual([]);
  });

  it('§4.9 exists and is documented once both options are set', async () => {
    service = await startTestService(ADMIN_ON);
    expect((await service.call('get', '/admin/quotas/acme')).status).toBe(200);
    expect((await service.call('get', '/v1/quotas/acme')).status).toBe(404);
    const { body } = await service.plain('get', '/openapi.json');
    expect(Object.keys(body.paths as object)).toContain('/admin/quotas/{tenant_id}');
  });

  it.each([
    ['enabled_extensions_admin', { SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas,quotaz' }, 'quotas, audit'],
    ['enabled_extensions_v1', { SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotaz' }, 'quotas, events, webhooks'],
    ['enabled_extensions_admin', { SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'constructor' }, 'quotas, audit'],
  ])('8.5 does not start with an unknown name in %s and lists the known ones', async (option, settings, known) => {
    await expect(startTestService(settings)).rejects.toThrow(new RegExp(`${option}.*known: ${known}$`));
  });

  it('8.4 keeps assigned quotas in force after it is disabled', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const database = { DATABASE__URL: `sqlite:${join(directory, 'kept.sqlite')}` };
    service = await startTestService({ ...database, ...ADMIN_ON });
    await service.call('patch', '/admin/quotas/acme', { quota: { zones: 1 } });
    await service.stop();

    service = await startTestService(database);
    const create = (name: string) =>
      service?.as('acme').call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
    expect((await create('one.example.org.'))?.status).toBe(200);
    expect((await create('two.example.org.'))?.status).toBe(413);
    await service.stop();
    service = undefined;
    await rm(directory, { recursive: true });
  });
});

describe('the flat form for the version-1 client', () => {
  const FLAT = {
    domains: 10,
    domain_recordsets: 500,
    domain_records: 500,
    recordset_records: 20,
    api_export_size: 1000,
  };
  let service: TestService;
  afterEach(() => service.stop());

  const start = async () => {
    service = await startTestService({
      ...V1_ON,
      ...ADMIN_ON,
      DEFAULT__QUOTA_ZONES: '10',
      DEFAULT__QUOTA_ZONE_RECORDS: '500',
      DEFAULT__QUOTA_ZONE_RECORDSETS: '500',
      DEFAULT__QUOTA_RECORDSET_RECORDS: '20',
    });
  };

  it('8.6 shows a tenant its own limits and an admin everybody’s', async () => {
    await start();
    for (const caller of [service.as('acme'), service.as('acme', 'reader'), service.as('other', 'admin')]) {
      const { status, body } = await caller.call('get', '/v1/quotas/acme');
      expect({ status, body }).toEqual({ status: 200, body: FLAT });
    }
    expect((await service.as('other').call('get', '/v1/quotas/acme')).status).toBe(401);
  });

  it('8.6 lets an admin change a subset by PUT or POST and reset with 200', async () => {
    await start();
    const put = await service.call('put', '/v1/quotas/acme', { domains: 4 });
    expect({ status: put.status, body: put.body }).toEqual({ status: 200, body: { ...FLAT, domains: 4 } });
    const post = await service.call('post', '/v1/quotas/acme', { domain_records: 7 });
    expect({ status: post.status, body: post.body }).toEqual({
      status: 200,
      body: { ...FLAT, domains: 4, domain_records: 7 },
    });
    expect((await service.call('get', '/admin/quotas/acme')).body.quota).toMatchObject({ zones: 4, zone_records: 7 });
    expect((await service.call('delete', '/v1/quotas/acme')).status).toBe(200);
    expect((await service.call('get', '/v1/quotas/acme')).body).toEqual(FLAT);
  });

  it('3.4, 8.6 reveals only to an admin that a tenant does not exist', async () => {
    await start();
    for (const tenant of ['%20', 'a%00b', 'x'.repeat(256)]) {
      for (const caller of [service.as('acme'), service.as('acme', 'reader')])
        expectRefusal(await caller.call('get', `/v1/quotas/${tenant}`), { status: 401, type: 'access_denied' });
      for (const method of ['put', 'post', 'delete'] as const)
        expect((await service.as('acme').call(method, `/v1/quotas/${tenant}`, {})).status).toBe(401);
      expect((await service.call('get', `/v1/quotas/${tenant}`)).status).toBe(400);
      expect((await service.as('acme').call('get', `/v2/quotas/${tenant}`)).status).toBe(403);
    }
  });

  it('8.6 refuses changes by other callers, and the names of the other form', async () => {
    await start();
    for (const method of ['put', 'post', 'delete'] as const)
      expect((await service.as('acme').call(method, '/v1/quotas/acme', { domains: 5000 })).status).toBe(401);
    for (const body of [{ zones: 4 }, { quota: { domains: 4 } }, { domains: '4' }, { domains: null }])
      expect((await service.call('put', '/v1/quotas/acme', body)).status).toBe(400);
    expect((await service.call('get', '/v1/quotas/acme')).body).toEqual(FLAT);
  });
});
