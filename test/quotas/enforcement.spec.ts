import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

interface Answer {
  readonly status: number;
  readonly body: { readonly id: string; readonly type?: string; readonly message?: string };
}

describe('limits', () => {
  let service: TestService;
  let count = 0;
  beforeAll(async () => {
    service = await startTestService({
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
    });
  });
  afterAll(() => service.stop());

  const unique = (prefix: string) => `${prefix}-${(count += 1)}`;
  const give = (tenant: string, quota: Record<string, number>) =>
    service.call('patch', `/admin/quotas/${tenant}`, { quota });
  const createDomain = async (tenant: string, name = `${unique('d')}.example.`): Promise<Answer> =>
    service.as(tenant).call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
  const createRecord = async (
    tenant: string,
    domain: Answer,
    owner: string,
    data: string,
    type = 'TXT',
  ): Promise<Answer> =>
    service.as(tenant).call('post', `/v1/domains/${domain.body.id}/records`, { name: owner, type, data });

  const named = async (limit: Record<string, number>) => {
    const tenant = unique('tenant');
    const name = `${unique('zone')}.example.`;
    await give(tenant, limit);
    return { tenant, name, domain: await createDomain(tenant, name) };
  };

  it('8.3 zones counts the domains of the tenant: n are allowed, one more is 413 with its message', async () => {
    const tenant = unique('tenant');
    await give(tenant, { zones: 2 });
    const first = await createDomain(tenant);
    expect([first.status, (await createDomain(tenant)).status]).toEqual([200, 200]);
    const refused = await createDomain(tenant);
    expect(refused.body).toMatchObject({ code: 413, type: 'over_quota' });
    expect(refused.body.message).toMatch(/quota zones is 2 and 3 would be in use/);
    await service.as(tenant).call('delete', `/v1/domains/${first.body.id}`);
    expect((await createDomain(tenant)).status).toBe(200);
  });

  it('8.3 a limit of 0 allows nothing and leaves reading alone', async () => {
    const tenant = unique('tenant');
    await give(tenant, { zones: 0 });
    expect((await createDomain(tenant)).status).toBe(413);
    expect((await service.as(tenant).call('get', '/v1/domains')).body).toEqual({ domains: [] });
  });

  it('8.3 zone_records counts the records of the domain', async () => {
    const { tenant, name, domain } = await named({ zone_records: 2 });
    expect((await createRecord(tenant, domain, name, 'one')).status).toBe(200);
    expect((await createRecord(tenant, domain, `a.${name}`, 'two')).status).toBe(200);
    const refused = await createRecord(tenant, domain, `b.${name}`, 'three');
    expect(refused.status).toBe(413);
    expect(refused.body.message).toMatch(/quota zone_records is 2 and 3/);
  });

  it('8.3 zone_recordsets counts pairs of name and type, in any case', async () => {
    const { tenant, name, domain } = await named({ zone_recordsets: 2 });
    expect((await createRecord(tenant, domain, name, 'one')).status).toBe(200);
    expect((await createRecord(tenant, domain, name.toUpperCase(), 'two')).status).toBe(200);
    expect((await createRecord(tenant, domain, name, '192.0.2.1', 'A')).status).toBe(200);
    const refused = await createRecord(tenant, domain, `a.${name}`, 'three');
    expect(refused.status).toBe(413);
    expect(refused.body.message).toMatch(/quota zone_recordsets is 2 and 3/);
  });

  it('8.3 recordset_records counts the records of one name and type', async () => {
    const { tenant, name, domain } = await named({ recordset_records: 1 });
    const first = await createRecord(tenant, domain, name, 'one');
    expect(first.status).toBe(200);
    const refused = await createRecord(tenant, domain, name, 'two');
    expect(refused.status).toBe(413);
    expect(refused.body.message).toMatch(/quota recordset_records is 1 and 2/);
    const other = await createRecord(tenant, domain, `a.${name}`, 'two');
    const path = `/v1/domains/${domain.body.id}/records/${other.body.id}`;
    expect((await service.as(tenant).call('put', path, { name })).status).toBe(413);
    expect((await service.as(tenant).call('put', path, { data: 'still one' })).status).toBe(200);
  });

  it('8.3 lowering a limit below the use deletes nothing and only stops growth (attack case 60)', async () => {
    const { tenant, name, domain } = await named({});
    const records = [];
    for (const data of ['one', 'two', 'three']) records.push(await createRecord(tenant, domain, name, data));
    await give(tenant, { zones: 0, zone_records: 1, zone_recordsets: 0, recordset_records: 1 });
    const path = `/v1/domains/${domain.body.id}/records`;
    const list = await service.as(tenant).call('get', path);
    expect(list.body.records).toHaveLength(3);
    const first = `${path}/${records[0]?.body.id ?? ''}`;
    expect((await service.as(tenant).call('put', first, { data: 'changed', ttl: 60 })).status).toBe(200);
    expect((await service.as(tenant).call('put', `/v1/domains/${domain.body.id}`, { ttl: 60 })).status).toBe(200);
    expect((await createRecord(tenant, domain, name, 'four')).status).toBe(413);
    expect((await service.as(tenant).call('delete', first)).status).toBe(200);
    expect((await createRecord(tenant, domain, name, 'four')).status).toBe(413);
  });

  it('8.3 the limits of the domain owner count, not those of the acting admin', async () => {
    const { tenant, name, domain } = await named({ zone_records: 1 });
    const create = (data: string) =>
      service
        .call('post', `/v1/domains/${domain.body.id}/records`, { name, type: 'TXT', data })
        .set('X-Auth-All-Projects', 'true');
    expect((await create('one')).status).toBe(200);
    expect((await create('two')).status).toBe(413);
    expect(tenant).toBeTruthy();
  });

  it('3.4 finds a placement fault before the limit, and the limit before a duplicate', async () => {
    const { tenant, name, domain } = await named({ zone_records: 1 });
    expect((await createRecord(tenant, domain, name, 'one')).status).toBe(200);
    expect((await createRecord(tenant, domain, 'elsewhere.example.', 'one')).status).toBe(400);
    expect((await createRecord(tenant, domain, name, 'one')).status).toBe(413);
  });

  it('a refused change counts nothing', async () => {
    const { tenant, name, domain } = await named({ zone_records: 2 });
    expect((await createRecord(tenant, domain, name, 'one')).status).toBe(200);
    for (let time = 0; time < 3; time += 1) expect((await createRecord(tenant, domain, name, 'one')).status).toBe(409);
    expect((await createRecord(tenant, domain, name, 'two')).status).toBe(200);
  });
});
