import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { ACME } from '../../examples/acme/acme.plugin.js';
import { ConfigError, exampleConfiguration } from '../../src/index.js';
import { startTestService, type TestClient, type TestConfig, type TestService } from '../../src/testing/index.js';

const ADMIN: TestConfig = {
  'service:api': { enable_api_admin: true, enabled_extensions_admin: ['quotas', 'reports'] },
};

/** The team's own documentation is written as ours is: npm run docs:config. */
const EXAMPLE = 'examples/acme/acme.conf.example';
if (process.env.UPDATE_DOCS === '1') writeFileSync(EXAMPLE, exampleConfiguration(ACME));

describe('a service with the plugin of another team', () => {
  let service: TestService;
  let acme: TestClient;
  let operator: TestClient;
  beforeAll(async () => {
    const config = { ...ADMIN, 'plugin:acme': { records_per_zone: 2 } };
    service = await startTestService({ plugins: [ACME], config });
    const as = (name: string): TestClient => service.client.as({ headers: { 'X-Client-Name': name } });
    [acme, operator] = [as('acme'), as('operator')];
  });
  afterAll(() => service.close());

  /** Returns the path of its records. */
  async function newZone(name: string): Promise<string> {
    const zone = await acme.post('/v1/domains', { name, email: 'hostmaster@example.org' });
    return `/v1/domains/${zone.expect(200).json.id}/records`;
  }

  it('asks its authenticator for the tenant of a request', async () => {
    (await service.client.get('/v1/domains')).expect(401);
    (await acme.get('/v1/domains')).expect(200);
  });

  it('accepts its record type, applies its rules, returns it and exports it in octets', async () => {
    const records = await newZone('types.example.');
    const create = (name: string, data: string) =>
      acme.post(records, { name: `${name}types.example.`, type: 'RACK', data });
    expect((await create('one.', '"room 7" U61')).expect(400).json).toMatchObject({
      errors: [{ path: 'data', message: expect.stringContaining('is in no rack') }],
    });
    expect((await create('one.', '"room 7" U12')).json).toMatchObject({ type: 'RACK', data: '"room 7" U12' });
    for (const name of ['', 'one.'])
      expect((await create(name, '"room 8" U1')).json).toMatchObject({ code: 400, type: 'invalid_recordset_location' });
    const { text } = (await acme.get(records.replace(/records$/, 'export'))).expect(200);
    expect(text).toContain('one.types.example.\t3600\tIN\tTYPE65300\t\\# 8 06726f6f6d20370c\n');
  });

  it('applies its configured limits', async () => {
    const records = await newZone('limits.example.');
    const create = (name: string) =>
      acme.post(records, { name: `${name}.limits.example.`, type: 'A', data: '192.0.2.1' });
    for (const name of ['one', 'two']) (await create(name)).expect(200);
    expect((await create('three')).expect(413).json).toMatchObject({
      type: 'over_quota',
      message: 'A zone holds 2 records, not 3.',
    });
  });

  it('adds its admin extension to those of the service', async () => {
    expect((await operator.get('/admin/reports')).json).toEqual({ reports: [] });
    (await acme.get('/admin/reports')).expect(401);
    (await operator.get('/admin/quotas/acme')).expect(200);
  });

  it('refuses an unknown extension and a forbidden option', async () => {
    const start = (config: TestConfig) => startTestService({ plugins: [ACME], config: { ...ADMIN, ...config } });
    await expect(start({ 'service:api': { enabled_extensions_admin: 'repots' } })).rejects.toThrow(
      new ConfigError(
        'ZONEWRIGHT_SERVICE_API__ENABLED_EXTENSIONS_ADMIN: [service:api] enabled_extensions_admin = "repots": there is no extension "repots"; did you mean reports? known: quotas, audit, reports',
      ),
    );
    await expect(start({ 'plugin:acme': { records_per_zone: 0 } })).rejects.toThrow(
      /\[plugin:acme\] records_per_zone = "0": allowed: integer from 1 to 1000/,
    );
    await expect(start({ 'plugin:acme': { records_per_zon: 5 } })).rejects.toThrow(
      /did you mean ZONEWRIGHT_PLUGIN_ACME__RECORDS_PER_ZONE\?/,
    );
  });

  it('documents its options like built-in ones (npm run docs:config)', () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toBe(exampleConfiguration(ACME));
  });
});
