import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { ACME } from '../../examples/acme/additions.js';
import { ConfigError, loadConfig, type RunningService, startService } from '../../src/index.js';

describe('a service with the additions of another team', () => {
  let directory: string;
  let service: RunningService;

  const configuration = (extensions: string) =>
    loadConfig({
      cwd: directory,
      env: {
        ZONEWRIGHT_SERVICE_API__LISTEN: '127.0.0.1:0',
        ZONEWRIGHT_SERVICE_API__ENABLE_API_ADMIN: 'True',
        ZONEWRIGHT_SERVICE_API__ENABLED_EXTENSIONS_ADMIN: extensions,
        ZONEWRIGHT_DATABASE__URL: `sqlite:${join(directory, 'acme.sqlite')}`,
      },
    });
  const as = (client: string) => ({
    get: (path: string) => request(service.url).get(path).set('X-Client-Name', client),
    post: (path: string, body: object) => request(service.url).post(path).set('X-Client-Name', client).send(body),
  });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    service = await startService(configuration('quotas,reports'), ACME);
  });
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });

  it('asks its authenticator whom a request stands for', async () => {
    expect((await request(service.url).get('/v1/domains')).status).toBe(401);
    expect((await as('acme').get('/v1/domains')).body).toEqual({ domains: [] });
  });

  it('takes its record type, gives it back, exports it in octets, and is held to its rules and limit', async () => {
    const domain = await as('acme').post('/v1/domains', { name: 'acme.example.', email: 'hostmaster@example.org' });
    const { id } = domain.body as { id: string };
    const create = (name: string, data: string) =>
      as('acme').post(`/v1/domains/${id}/records`, { name: `${name}acme.example.`, type: 'RACK', data });
    expect((await create('bad.', '"room 7" U61')).body).toMatchObject({ code: 400, errors: [{ path: 'data' }] });
    for (const name of ['one.', 'two.', 'three.']) expect((await create(name, '"room 7" U12')).status).toBe(200);
    const { status, body } = await create('four.', '"room 7" U12');
    expect({ status, body: body as unknown }).toMatchObject({ status: 413, body: { type: 'over_quota' } });
    for (const name of ['', 'one.'])
      expect((await create(name, '"room 8" U1')).body).toMatchObject({ code: 400, type: 'invalid_recordset_location' });
    const zone = await as('acme').get(`/v1/domains/${id}/export`).buffer(true);
    expect(zone.text).toContain('one.acme.example.\t3600\tIN\tTYPE65300\t\\# 8 06726f6f6d20370c\n');
  });

  it('brings its extension when the configuration names it, for admins', async () => {
    expect((await as('operator').get('/admin/reports')).body).toEqual({ reports: [] });
    expect((await as('acme').get('/admin/reports')).status).toBe(401);
    expect((await as('operator').get('/admin/quotas/acme')).status).toBe(200);
    await expect(startService(configuration('repots'), ACME)).rejects.toThrow(ConfigError);
  });
});
