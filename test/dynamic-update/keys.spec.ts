import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { queryOf, rcodeOf } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import {
  type Asked,
  add,
  exists,
  isFree,
  type KeyFields,
  remove,
  startUpdateService,
  type UpdateService,
} from '../support/updates.js';
import { TsigError } from '../../src/dns/message/tsig/tsig-client.js';
import { until } from '../support/until.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { Rcode } from '../../src/dns/message/codes.js';

let service: UpdateService;
let domain: TestDomain;
beforeAll(async () => {
  service = await startUpdateService();
  domain = await newDomain(service);
  const anybody = await service.newUpdater();
  const updates = [add(domain.at('www'), 300, 'A', '192.0.2.1'), add(domain.at('www'), 300, 'TXT', '"text"')];
  expect(await anybody.update(domain.name, { updates })).toBe('NOERROR');
});
afterAll(() => service.stop());

const codeOf = (error: unknown): unknown => (error instanceof TsigError ? error.code : error);

interface Listed {
  readonly update_keys: readonly Record<string, unknown>[];
}

describe('update keys', () => {
  it('20.8 are created, listed without their secrets, and revoked', async () => {
    const tenant = service.as('tenant-k');
    const made = await service.newKey({ name: 'Made.Example.net', types: ['txt'] }, tenant);
    expect(made).toMatchObject({
      name: 'made.example.net.',
      algorithm: 'hmac-sha256',
      tenant_id: 'tenant-k',
      types: ['TXT'],
    });
    expect(Buffer.from(made.secret, 'base64')).toHaveLength(32);
    const { secret, ...shown } = made;
    const list = async () => (await bodyOf<Listed>(tenant.call('get', '/v1/update-keys'))).update_keys;
    expect(await list()).toEqual([shown]);
    await answerOf(tenant.call('delete', `/v1/update-keys/${made.id}`));
    expect((await list())[0]).toMatchObject({ id: made.id, revoked_at: expect.any(String) });
    await refusalOf(tenant.call('delete', `/v1/update-keys/${made.id}`), 404, 'update_key_not_found');
    expect(JSON.stringify(await list())).not.toContain(secret);
  });

  it('20.8 belong to their tenant', async () => {
    const made = await service.newKey({}, service.as('tenant-k'));
    const other = service.as('tenant-l');
    expect(await bodyOf<Listed>(other.call('get', '/v1/update-keys'))).toEqual({ update_keys: [] });
    await refusalOf(other.call('delete', `/v1/update-keys/${made.id}`), 404, 'update_key_not_found');
  });

  it('20.8 have a name once, until they are revoked', async () => {
    const made = await service.newKey({ name: 'once.example.net.' });
    const again = { name: 'ONCE.example.net' };
    await refusalOf(service.as('tenant-l').call('post', '/v1/update-keys', again), 409, 'duplicate_update_key');
    await answerOf(service.call('delete', `/v1/update-keys/${made.id}`));
    expect(await service.newKey(again)).toMatchObject({ name: made.name });
  });

  it.each<[string, object]>([
    ['name', {}],
    ['name', { name: 'no name' }],
    ['name', { name: 5 }],
    ['algorithm', { name: 'bad.', algorithm: 'hmac-md5' }],
    ['secret', { name: 'bad.', secret: 'c2hvcnQ=' }],
    ['secret', { name: 'bad.', secret: 'not base64, by no means' }],
    ['types', { name: 'bad.', types: ['no type'] }],
    ['networks', { name: 'bad.', networks: ['nowhere'] }],
    ['expires_at', { name: 'bad.', expires_at: '2020-01-01T00:00:00Z' }],
    ['roles', { name: 'bad.', roles: ['admin'] }],
  ])('20.8 are refused for a bad %s', async (path, fields) => {
    const { errors = [] } = await refusalOf(service.call('post', '/v1/update-keys', fields), 400, 'invalid_object');
    expect(errors.map((error) => error.path)).toContain(path);
  });

  it('20.8 stop working immediately after revocation', async () => {
    const key = await service.newKey();
    const updater = await service.newUpdater();
    const asked = { updates: [add(domain.at('key'), 60, 'A', '192.0.2.1')] };
    expect(await updater.update(domain.name, asked)).toBe('NOERROR');
    const { update_keys: keys } = await bodyOf<Listed>(service.call('get', '/v1/update-keys'));
    const own = keys.find(({ name }) => name === updater.key.name.toString());
    await answerOf(service.call('delete', `/v1/update-keys/${String(own?.id)}`));
    await expect(updater.update(domain.name, asked)).rejects.toMatchObject({ code: Rcode.BADKEY });
    await expect(updater.send(queryOf({ name: domain.name, type: SOA.code }))).rejects.toMatchObject({
      code: Rcode.BADKEY,
    });
    expect(key.revoked_at).toBeNull();
  });

  it('20.8 are good until they expire', async () => {
    const updater = await service.newUpdater({ expires_at: new Date(Date.now() + 4000).toISOString() });
    const asked = { updates: [add(domain.at('expiring'), 60, 'A', '192.0.2.1')] };
    expect(await updater.update(domain.name, asked)).toBe('NOERROR');
    await until(async () => (await updater.update(domain.name, {}).catch(codeOf)) === Rcode.BADKEY);
  });

  it('14.6, 20.8 are in the audit, without their secrets', async () => {
    const audited = await startUpdateService({
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'audit',
      SERVICE_API__ENABLE_API_ADMIN: 'True',
    });
    try {
      const made = await audited.newKey({ types: ['TXT'] });
      await answerOf(audited.call('delete', `/v1/update-keys/${made.id}`));
      const { body } = await audited.call('get', '/admin/audit?action=update_key');
      const entries = (body as { audit: Record<string, unknown>[] }).audit;
      expect(entries.map(({ action }) => action)).toEqual(['update_key.revoke', 'update_key.create']);
      expect(entries[1]).toMatchObject({ subject: { id: made.id, name: made.name } });
      expect(JSON.stringify(entries)).not.toContain(made.secret);
    } finally {
      await audited.stop();
    }
  });
});

describe('a limited update key', () => {
  const www = (): string => domain.at('www');
  const CASES: [string, KeyFields, () => Asked, string][] = [
    ['another name', { names: ['dhcp.*'] }, () => ({ updates: [add(www(), 1, 'A', '192.0.2.2')] }), 'REFUSED'],
    [
      'a name of its own',
      { names: ['own.*'] },
      () => ({ updates: [add(domain.at('own'), 1, 'A', '192.0.2.2')] }),
      'NOERROR',
    ],
    [
      'one allowed and one forbidden',
      { names: ['own.*'] },
      () => ({ updates: [remove(domain.at('own')), remove(www())] }),
      'REFUSED',
    ],
    ['another type', { types: ['TXT'] }, () => ({ updates: [remove(www(), 'A')] }), 'REFUSED'],
    ['all types', { types: ['TXT'] }, () => ({ updates: [remove(www())] }), 'REFUSED'],
    ['all types that a name has', { types: ['A', 'TXT'] }, () => ({ updates: [remove(domain.at('own'))] }), 'NOERROR'],
    ['a prerequisite elsewhere', { names: ['own.*'] }, () => ({ prerequisites: [isFree(www())] }), 'REFUSED'],
    ['a prerequisite of another type', { types: ['TXT'] }, () => ({ prerequisites: [exists(www(), 'A')] }), 'REFUSED'],
    ['a deletion', { actions: ['create'] }, () => ({ updates: [remove(www())] }), 'REFUSED'],
    ['an addition', { actions: ['delete'] }, () => ({ updates: [add(www(), 1, 'A', '192.0.2.2')] }), 'REFUSED'],
    ['another TTL', { actions: ['create'] }, () => ({ updates: [add(www(), 5, 'A', '192.0.2.7')] }), 'REFUSED'],
    [
      'the TTL that is there',
      { actions: ['create'] },
      () => ({ updates: [add(www(), 300, 'A', '192.0.2.7')] }),
      'NOERROR',
    ],
    ['another domain', { domains: ['example.net.'] }, () => ({ updates: [remove(www())] }), 'NOTAUTH'],
    ['another address', { networks: ['192.0.2.0/24'] }, () => ({ updates: [remove(www())] }), 'REFUSED'],
  ];

  it.each(CASES)('20.8 (attack case 11) asks for %s', async (_, fields, asked, expected) => {
    const updater = await service.newUpdater(fields);
    expect(await updater.update(domain.name, asked())).toBe(expected);
    expect(rcodeOf(await (await service.newUpdater()).send(queryOf({ name: www(), type: SOA.code })))).toBe('NOERROR');
  });
});
