import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf } from '../support/v2.js';

const DEFAULTS = { api_export_size: 1000, recordset_records: 20, zone_records: 500, zone_recordsets: 500, zones: 10 };
const SETTINGS = {
  DEFAULT__QUOTA_ZONES: '10',
  DEFAULT__QUOTA_ZONE_RECORDS: '500',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '500',
  DEFAULT__QUOTA_RECORDSET_RECORDS: '20',
  SERVICE_CENTRAL__MIN_TTL: '60',
};
const ALL_PROJECTS = { 'X-Auth-All-Projects': 'True' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService(SETTINGS);
});
afterAll(() => service.stop());

describe('quotas of version 2', () => {
  it('13.8 are flat, and the own ones are shown to members and readers', async () => {
    for (const caller of [service.as('acme'), service.as('acme', 'reader'), service.as('acme', 'admin')])
      for (const path of ['/v2/quotas', '/v2/quotas/', '/v2/quotas/acme'])
        expect(await bodyOf(caller.call('get', path))).toEqual(DEFAULTS);
  });

  it("13.8 another project's are reached with all-projects or as that project, and otherwise are 403", async () => {
    const admin = service.as('operators', 'admin');
    const change = (zones: number) => admin.call('patch', '/v2/quotas/reached', { zones });
    for (const header of ['X-Auth-Sudo-Project-ID', 'X-Auth-Sudo-Tenant-ID']) {
      expect(await bodyOf(admin.call('get', '/v2/quotas/reached').set(header, 'reached'))).toMatchObject({});
      expect(await bodyOf(change(4).set(header, 'reached'))).toEqual({ ...DEFAULTS, zones: 4 });
      await v2RefusalOf(change(5).set(header, 'other'), 403, 'forbidden');
    }
    expect(await bodyOf(change(6).set(ALL_PROJECTS))).toEqual({ ...DEFAULTS, zones: 6 });
    expect(await bodyOf(admin.call('get', '/v2/quotas/reached?all_projects=1'))).toMatchObject({ zones: 6 });
    await v2RefusalOf(change(7), 403, 'forbidden');
    await v2RefusalOf(admin.call('get', '/v2/quotas/reached'), 403, 'forbidden');
    await v2RefusalOf(service.as('acme').call('get', '/v2/quotas/reached'), 403, 'forbidden');
    await v2RefusalOf(service.as('acme').call('get', '/v2/quotas/acme').set(ALL_PROJECTS), 403, 'forbidden');
    expect(await bodyOf(service.as('reached').call('get', '/v2/quotas/reached'))).toMatchObject({ zones: 6 });
  });

  it('13.8 are changed and reset by admins only', async () => {
    for (const caller of [service.as('acme'), service.as('acme', 'reader')]) {
      await v2RefusalOf(caller.call('patch', '/v2/quotas/acme', { zones: 1000 }), 403, 'forbidden');
      await v2RefusalOf(caller.call('delete', '/v2/quotas/acme'), 403, 'forbidden');
    }
    const admin = service.as('acme', 'admin');
    expect(await bodyOf(admin.call('patch', '/v2/quotas/acme', { zones: 3, zone_records: 0 }))).toEqual({
      ...DEFAULTS,
      zones: 3,
      zone_records: 0,
    });
    for (let time = 0; time < 2; time += 1) {
      const { text } = await answerOf(service.call('delete', '/v2/quotas/acme').set(ALL_PROJECTS), 204);
      expect(text).toBe('');
    }
    expect(await bodyOf(admin.call('get', '/v2/quotas/acme'))).toEqual(DEFAULTS);
    await answerOf(service.call('put', '/v2/quotas/acme', {}), 405);
  });

  it.each([
    ['an unknown name', { zones: 7, domains: 5 }, ['domains']],
    ['a wrapper', { quota: { zones: 5 } }, ['quota']],
    ['-2', { zones: -2 }, ['zones']],
    ['a number over 2147483647', { zones: 2147483648 }, ['zones']],
    ['a fraction', { zones: 1.5 }, ['zones']],
    ['a boolean', { zones: true }, ['zones']],
    ['text', { zones: 'tempest-1234' }, ['zones']],
    ['digits in a text', { zones: '5' }, ['zones']],
    ['null', { zones: null }, ['zones']],
    ['a list', { zones: [5] }, ['zones']],
    ['__proto__', '{"__proto__":{"zones":5}}', ['__proto__']],
  ])('13.8 refuses %s, and stores nothing of it', async (_, body, path) => {
    const admin = service.as('victim', 'admin');
    await v2RefusalOf(admin.call('patch', '/v2/quotas/victim', body), 400, 'invalid_object', [path]);
    expect(await bodyOf(admin.call('get', '/v2/quotas/victim'))).toEqual(DEFAULTS);
  });

  it('13.8 -1 means no limit, also in the other interfaces', async () => {
    const admin = service.as('unlimited', 'admin');
    const none = { zones: -1, zone_records: -1, zone_recordsets: -1, recordset_records: -1, api_export_size: -1 };
    const zero = { zones: 0, zone_records: 0, zone_recordsets: 0, recordset_records: 0, api_export_size: 0 };
    await bodyOf(admin.call('patch', '/v2/quotas/unlimited', zero));
    const domain = { name: 'unlimited.example.org.', email: 'hostmaster@example.org' };
    await answerOf(admin.call('post', '/v1/domains', domain), 413);
    expect(await bodyOf(admin.call('patch', '/v2/quotas/unlimited', none))).toEqual(none);
    const made = await newDomain(admin, domain.name);
    await made.newRecord();
    await answerOf(admin.call('get', `/v1/domains/${made.id}/export`).set('Accept', 'text/dns'));
    const file = '$GENERATE 1-3 h$ A 192.0.2.$\n';
    const imported = admin.call('post', `/v1/domains/${made.id}/import`, file).set('Content-Type', 'text/dns');
    await answerOf(imported);
    await bodyOf(admin.call('patch', '/v2/quotas/unlimited', { zone_records: 0 }));
    await answerOf(made.create({ name: made.at('more'), type: 'A', data: '192.0.2.9' }), 413);
  });

  it('13.8 takes any project of 1 to 255 characters', async () => {
    const admin = service.as('operators', 'admin');
    for (const project of ['%E2%98%83', 'a%20b', 'x'.repeat(255)])
      await bodyOf(admin.call('patch', `/v2/quotas/${project}`, { zones: 1 }).set(ALL_PROJECTS));
    for (const project of ['x'.repeat(256), '%20', 'a%00b'])
      for (const method of ['get', 'delete'] as const)
        await v2RefusalOf(admin.call(method, `/v2/quotas/${project}`).set(ALL_PROJECTS), 400, 'invalid_object');
  });
});

describe('limits', () => {
  const LIMITS = {
    max_zones: 10,
    max_zone_recordsets: 500,
    max_zone_records: 500,
    max_recordset_records: 20,
    min_ttl: 60,
    max_zone_name_length: 255,
    max_recordset_name_length: 255,
    max_page_limit: 1000,
  };

  it('13.8 are those of the acting project', async () => {
    for (const caller of [service.as('limited'), service.as('limited', 'reader')])
      expect(await bodyOf(caller.call('get', '/v2/limits'))).toEqual(LIMITS);
    await bodyOf(service.call('patch', '/v2/quotas/limited', { zones: -1 }).set(ALL_PROJECTS));
    const changed = { ...LIMITS, max_zones: -1 };
    expect(await bodyOf(service.as('limited').call('get', '/v2/limits'))).toEqual(changed);
    const sudo = service.call('get', '/v2/limits').set('X-Auth-Sudo-Project-ID', 'limited');
    expect(await bodyOf(sudo)).toEqual(changed);
    await v2RefusalOf(
      service.as('other').call('get', '/v2/limits').set('X-Auth-Sudo-Project-ID', 'limited'),
      403,
      'forbidden',
    );
  });
});
