import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { ACME } from '../../examples/acme/acme.plugin.js';
import { ConfigError, exampleConfiguration } from '../../src/index.js';
import { expectStatus } from '../support/answers.js';
import { type Method, startTestService, type TestService } from '../support/service.js';

const ADMIN = {
  SERVICE_API__ENABLE_API_ADMIN: 'True',
  SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas,reports',
};

/** The team's own documentation is written as ours is: npm run docs:config. */
const EXAMPLE = 'examples/acme/acme.conf.example';
if (process.env.UPDATE_DOCS === '1') writeFileSync(EXAMPLE, exampleConfiguration(ACME));

describe('a service with the plugin of another team', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ ...ADMIN, PLUGIN_ACME__RECORDS_PER_ZONE: '2' }, undefined, [ACME]);
  });
  afterAll(() => service.stop());

  const as = (client: string) => (method: Method, path: string, body?: object) =>
    service.plain(method, path).set('X-Client-Name', client).send(body);
  const acme = as('acme');

  async function newZone(name: string): Promise<string> {
    const { body } = await acme('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
    return (body as { id: string }).id;
  }

  it('asks its authenticator whom a request stands for', async () => {
    expectStatus(await service.plain('get', '/v1/domains'), 401);
    expectStatus(await acme('get', '/v1/domains'), 200);
  });

  it('takes its record type, holds it to its rules, gives it back and exports it in octets', async () => {
    const id = await newZone('types.example.');
    const create = (name: string, data: string) =>
      acme('post', `/v1/domains/${id}/records`, { name: `${name}types.example.`, type: 'RACK', data });
    const refused = await create('one.', '"room 7" U61');
    expectStatus(refused, 400);
    expect(refused.body).toMatchObject({
      errors: [{ path: 'data', message: expect.stringContaining('is in no rack') }],
    });
    expect((await create('one.', '"room 7" U12')).body).toMatchObject({ type: 'RACK', data: '"room 7" U12' });
    for (const name of ['', 'one.'])
      expect((await create(name, '"room 8" U1')).body).toMatchObject({ code: 400, type: 'invalid_recordset_location' });
    const zone = await acme('get', `/v1/domains/${id}/export`).buffer(true);
    expect(zone.text).toContain('one.types.example.\t3600\tIN\tTYPE65300\t\\# 8 06726f6f6d20370c\n');
  });

  it('is held to its limits, as its option says', async () => {
    const id = await newZone('limits.example.');
    const create = (name: string) =>
      acme('post', `/v1/domains/${id}/records`, { name: `${name}.limits.example.`, type: 'A', data: '192.0.2.1' });
    for (const name of ['one', 'two']) expectStatus(await create(name), 200);
    const refused = await create('three');
    expectStatus(refused, 413);
    expect(refused.body).toMatchObject({ type: 'over_quota', message: 'A zone holds 2 records, not 3.' });
  });

  it('brings its extension for admins, beside ours', async () => {
    expect((await as('operator')('get', '/admin/reports')).body).toEqual({ reports: [] });
    expectStatus(await acme('get', '/admin/reports'), 401);
    expectStatus(await as('operator')('get', '/admin/quotas/acme'), 200);
  });

  it('refuses an extension that nobody brings, and an option that is not allowed', async () => {
    const start = (settings: Record<string, string>) => startTestService({ ...ADMIN, ...settings }, undefined, [ACME]);
    await expect(start({ SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'repots' })).rejects.toThrow(
      new ConfigError(
        '[service:api] enabled_extensions_admin = "repots": no such extension; known: quotas, audit, reports',
      ),
    );
    await expect(start({ PLUGIN_ACME__RECORDS_PER_ZONE: '0' })).rejects.toThrow(
      /\[plugin:acme\] records_per_zone = "0": allowed: integer from 1 to 1000/,
    );
    await expect(start({ PLUGIN_ACME__RECORDS_PER_ZON: '5' })).rejects.toThrow(
      /did you mean ZONEWRIGHT_PLUGIN_ACME__RECORDS_PER_ZONE\?/,
    );
  });

  it('has its options documented as ours are (npm run docs:config)', () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toBe(exampleConfiguration(ACME));
  });
});
