import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { exampleConfiguration } from 'zonewright';
import { startTestService, type TestClient, type TestService } from 'zonewright/testing';
import { InspectionsService } from '../src/inspections.service.js';
import plugin from '../src/index.js';

describe('a service with inspections', () => {
  let service: TestService;
  let admin: TestClient;
  before(async () => {
    service = await startTestService({
      plugins: [plugin],
      config: {
        'service:api': { enable_api_admin: true, enabled_extensions_admin: ['inspections'] },
        'plugin:inspections': { overdue_hours: 1 },
      },
    });
    admin = service.client.as({ tenant: 'operations', roles: ['admin'] });
    await zoneWithHost('tidy.example.', 'www.tidy.example.');
    await zoneWithHost('broken.example.', 'missing.broken.example.');
  });
  after(() => service.close());

  /** The zone has `www`, and an MX record for the host of that name. */
  async function zoneWithHost(name: string, host: string): Promise<void> {
    const client = service.client.as({ tenant: 'acme' });
    const { id } = (await client.post('/v1/domains', { name, email: 'hostmaster@example.org' })).expect(200).json;
    const create = (record: object) => client.post(`/v1/domains/${id}/records`, record);
    (await create({ name: `www.${name}`, type: 'A', data: '192.0.2.1' })).expect(200);
    (await create({ name, type: 'MX', data: host, priority: 10 })).expect(200);
  }

  const inspect = (body: object) => admin.post('/admin/inspections', body);

  it('is overdue until a zone was inspected, and takes requests nevertheless', async () => {
    const readyz = async () => (await service.client.get('/readyz')).expect(200).json.checks;
    assert.deepEqual(await readyz(), { 'inspections/overdue': 'failing' });
    (await inspect({ zone: 'tidy.example.' })).expect(200);
    assert.deepEqual(await readyz(), { 'inspections/overdue': 'ok' });
  });

  it('reports findings of a zone, stores them, and counts them', async () => {
    const { zone, warnings } = (await inspect({ zone: 'broken.example.' })).expect(200).json;
    assert.equal(zone, 'broken.example.');
    assert.ok(warnings > 0);
    const { inspections } = (await admin.get('/admin/inspections?limit=1')).expect(200).json;
    assert.deepEqual(
      inspections.map((each: { zone: string }) => each.zone),
      ['broken.example.'],
    );
    const { text } = (await admin.get('/metrics')).expect(200);
    assert.match(text, /^inspections_zones_total\{found="warning"\} [1-9]/m);
  });

  it('inspects all zones', async () => {
    const zones: string[] = [];
    for await (const { zone } of service.get(InspectionsService).inspectAll()) zones.push(zone);
    assert.deepEqual(zones.sort(), ['broken.example.', 'tidy.example.']);
  });

  it('rejects invalid requests', async () => {
    (await inspect({ zone: 'nowhere.example.' })).expect(404);
    for (const body of [{}, { zone: 1 }, { zone: 'a..b' }, { zone: 'tidy.example.', more: true }])
      (await inspect(body)).expect(400);
    for (const limit of ['0', '1001', 'many', '1.5', ''])
      (await admin.get(`/admin/inspections?limit=${limit}`)).expect(400);
    (await service.client.as({ tenant: 'acme' }).get('/admin/inspections')).expect(401);
  });

  it('has its options documented', () => {
    const documented = readFileSync(new URL('../../zonewright.conf.example', import.meta.url), 'utf8');
    assert.ok(documented.endsWith(exampleConfiguration(plugin)), exampleConfiguration(plugin));
  });
});
