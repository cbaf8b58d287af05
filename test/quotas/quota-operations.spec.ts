import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

const DEFAULTS = { api_export_size: 1000, recordset_records: 20, zone_records: 500, zone_recordsets: 500, zones: 10 };

const SPECIFIED_DEFAULTS = {
  DEFAULT__QUOTA_ZONES: '10',
  DEFAULT__QUOTA_ZONE_RECORDS: '500',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '500',
  DEFAULT__QUOTA_RECORDSET_RECORDS: '20',
};

export const EXTENSION_ON = {
  SERVICE_API__ENABLE_API_ADMIN: 'True',
  SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
};

describe.each(['/admin/quotas', '/quotas'])('quota operations at %s', (base) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ ...SPECIFIED_DEFAULTS, ...EXTENSION_ON });
  });
  afterAll(() => service.stop());

  it('§4.6, 8.1 shows all five limits, the defaults for a tenant that was never changed', async () => {
    const { status, body } = await service.call('get', `${base}/never-changed`);
    expect({ status, body }).toEqual({ status: 200, body: { quota: DEFAULTS } });
  });

  it('§4.7, 8.2 changes the named limits, keeps the remaining ones and returns all', async () => {
    const first = await service.call('patch', `${base}/acme`, { quota: { zones: 3 } });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ quota: { ...DEFAULTS, zones: 3 } });
    const second = await service.call('patch', `${base}/acme`, {
      quota: { zone_records: 0, api_export_size: 2147483647 },
    });
    const changed = { ...DEFAULTS, zones: 3, zone_records: 0, api_export_size: 2147483647 };
    expect(second.body).toEqual({ quota: changed });
    expect((await service.call('get', `${base}/acme`)).body).toEqual({ quota: changed });
  });

  it('8.2 accepts an empty change', async () => {
    const { status, body } = await service.call('patch', `${base}/empty`, { quota: {} });
    expect({ status, body }).toEqual({ status: 200, body: { quota: DEFAULTS } });
  });

  it('§4.8, 8.2 resets to the defaults with 204 and no body, also when nothing was set', async () => {
    await service.call('patch', `${base}/reset`, { quota: { zones: 3 } });
    for (let time = 0; time < 2; time += 1) {
      const { status, text } = await service.call('delete', `${base}/reset`);
      expect({ status, text }).toEqual({ status: 204, text: '' });
    }
    expect((await service.call('get', `${base}/reset`)).body).toEqual({ quota: DEFAULTS });
  });

  it('3.3 refuses everybody but admins with 401, for each operation', async () => {
    for (const caller of [service.as('acme', 'member'), service.as('acme', 'reader')])
      for (const [method, body] of [['get'], ['patch', { quota: { zones: 1000 } }], ['delete']] as const) {
        const answer = await caller.call(method, `${base}/acme`, body);
        expect(answer.status).toBe(401);
        expect(answer.body).toMatchObject({ code: 401, type: 'access_denied' });
      }
  });

  it('3.4 asks for the role before it looks at media type and body', async () => {
    const answer = await service
      .as('acme', 'member')
      .call('patch', `${base}/acme`, '{"quota":')
      .set('Content-Type', 'text/plain');
    expect(answer.status).toBe(401);
  });

  it('1.5 answers 405 with Allow for PUT', async () => {
    const answer = await service.call('put', `${base}/acme`, { quota: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('DELETE, GET, HEAD, PATCH');
  });

  const REFUSED: readonly [title: string, body: unknown, path: string, validator: string][] = [
    ['an unknown name', { quota: { domains: 5 } }, 'quota.domains', 'additionalProperties'],
    ['a negative number', { quota: { zones: -1 } }, 'quota.zones', 'minimum'],
    ['a number over 2147483647', { quota: { zones: 2147483648 } }, 'quota.zones', 'maximum'],
    ['2^63', '{"quota":{"zones":9223372036854775808}}', 'quota.zones', 'maximum'],
    ['1e400', '{"quota":{"zones":1e400}}', 'quota.zones', 'type'],
    ['null', { quota: { zones: null } }, 'quota.zones', 'type'],
    ['a boolean', { quota: { zones: true } }, 'quota.zones', 'type'],
    ['a string', { quota: { zones: '5' } }, 'quota.zones', 'type'],
    ['a float', { quota: { zones: 1.5 } }, 'quota.zones', 'type'],
    ['a list', { quota: { zones: [5] } }, 'quota.zones', 'type'],
    ['an object', { quota: { zones: { value: 5 } } }, 'quota.zones', 'type'],
    ['a flat body', { zones: 5 }, 'zones', 'additionalProperties'],
    ['a key next to quota', { quota: { zones: 5 }, comment: 'x' }, 'comment', 'additionalProperties'],
    ['no quota', {}, 'quota', 'required'],
    ['quota null', { quota: null }, 'quota', 'type'],
    ['quota a list', { quota: [{ zones: 5 }] }, 'quota', 'type'],
    ['quota a string', { quota: 'zones' }, 'quota', 'type'],
    ['__proto__ inside', '{"quota":{"__proto__":{"zones":5}}}', 'quota.__proto__', 'additionalProperties'],
    ['__proto__ next to quota', '{"quota":{},"__proto__":{"isAdmin":true}}', '__proto__', 'additionalProperties'],
    [
      'constructor.prototype',
      { quota: { constructor: { prototype: { zones: 1 } } } },
      'quota.constructor',
      'additionalProperties',
    ],
    ['a list for a body', [], '', 'type'],
    ['nothing', '', '', 'type'],
    ['one good and one bad name', { quota: { zones: 7, zone_records: -7 } }, 'quota.zone_records', 'minimum'],
  ];

  it.each(REFUSED)('8.2 refuses %s and changes nothing (attack cases 60, 62)', async (_, body, path, validator) => {
    const answer = await service.call('patch', `${base}/victim`, body);
    expect(answer.body).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ path, validator }));
    expect(answer.status).toBe(400);
    expect((await service.call('get', `${base}/victim`)).body).toEqual({ quota: DEFAULTS });
    expect(Object.prototype).not.toHaveProperty('isAdmin');
  });

  it.each([
    ['%2e%2e', '..'],
    ['%2e%2e%2f..%2fetc', '../../etc'],
    ['%E2%98%83%F0%9F%98%80', '☃😀'],
    ['a%20b', 'a b'],
    ['%27%20OR%201%3D1%20--', "' OR 1=1 --"],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('8.2 takes any string for a tenant: %s', async (encoded) => {
    const { status, body } = await service.call('patch', `${base}/${encoded}`, { quota: { zones: 1 } });
    expect({ status, body }).toEqual({ status: 200, body: { quota: { ...DEFAULTS, zones: 1 } } });
    expect((await service.call('get', `${base}/another`)).body).toEqual({ quota: DEFAULTS });
  });

  it.each([
    ['256 characters', 'x'.repeat(256), 400],
    ['10 kB', 'x'.repeat(10_000), 400],
    ['NUL', 'a%00b', 400],
    ['blanks', '%20', 400],
    ['octets that are not UTF-8', '%ff', 404],
    ['half an escape', '%e', 404],
  ])('8.2 refuses a tenant of %s', async (_, encoded, expected) => {
    for (const method of ['get', 'delete'] as const)
      expect((await service.call(method, `${base}/${encoded}`)).status).toBe(expected);
  });
});
