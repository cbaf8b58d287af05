import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { type Client, removeTestData, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { newZone, v2RefusalOf } from '../support/v2.js';
import { processorTime } from '../support/processor-time.js';

const EMAIL = { email: 'hostmaster@example.org' };

let service: TestService;
let owner: Client;
let admin: Client;
beforeEach(async () => {
  service = await startTestService();
  owner = service.as('acme');
  admin = service.as('operators', 'admin');
});
afterEach(() => service.stop());

async function add(what: 'tlds' | 'blacklists', fields: object): Promise<string> {
  return (await bodyOf<{ id: string }>(service.call('post', `/v2/${what}`, fields), 201)).id;
}

/** By both versions. */
async function expectRefused(name: string, client = owner): Promise<void> {
  await v2RefusalOf(client.call('post', '/v2/zones', { name, ...EMAIL }), 400, 'invalid_zone_name', [['name']]);
  await refusalOf(client.call('post', '/v1/domains', { name, ...EMAIL }), 400, 'invalid_object');
}

describe('TLDs', () => {
  it('13.6 allow all names while empty, and then those below them', async () => {
    await newZone(owner, 'before.example.net.');
    const id = await add('tlds', { name: 'example.ORG' });
    await newZone(owner, 'a.example.org.');
    await newZone(owner, 'deep.b.Example.org.');
    for (const name of ['a.example.net.', 'badexample.org.', 'below.before.example.net.']) await expectRefused(name);
    await expectRefused('example.org.', admin);
    await expectRefused('a.example.net.', admin);
    await answerOf(service.call('patch', `/v2/tlds/${id}`, { name: 'net' }), 200);
    await newZone(owner, 'a.example.net.');
    await expectRefused('c.example.org.');
    await answerOf(service.call('delete', `/v2/tlds/${id}`), 204);
    await newZone(owner, 'c.example.org.');
  });

  it('13.6 leave zones alone that are there', async () => {
    const zone = await newZone(owner, 'there.example.net.');
    await add('tlds', { name: 'org' });
    await answerOf(owner.call('patch', `/v2/zones/${zone.id}`, { ttl: 300 }), 202);
    await answerOf(owner.call('delete', `/v2/zones/${zone.id}`), 202);
    await expectRefused('there.example.net.');
  });
});

describe('blacklists', () => {
  it('13.6 keep names from everybody but admins', async () => {
    await add('blacklists', { pattern: '^deny' });
    const id = await add('blacklists', { pattern: 'exact\\.example\\.org\\.$' });
    for (const name of ['deny.example.org.', 'DENY2.example.org.', 'exact.example.org.']) await expectRefused(name);
    await newZone(owner, 'a.deny.example.org.');
    await newZone(admin, 'deny.example.com.');
    await answerOf(service.call('patch', `/v2/blacklists/${id}`, { pattern: 'other' }), 200);
    await newZone(owner, 'exact.example.org.');
    await expectRefused('another.example.org.');
  });

  it('13.6 bound the time of any pattern (attack case 78)', async () => {
    await add('blacklists', { pattern: '^((a+)+)+$' });
    await add('blacklists', { pattern: '(.*a){25}b' });
    const name = `${'a'.repeat(60)}.${'a'.repeat(60)}.${'a'.repeat(60)}.example.org.`;
    const begun = processorTime();
    await newZone(owner, name);
    expect(processorTime() - begun).toBeLessThan(1000);
  });

  it('13.6 do not reveal their patterns in refusals', async () => {
    await add('blacklists', { pattern: 'secret-reason|deny' });
    const body = await v2RefusalOf(
      owner.call('post', '/v2/zones', { name: 'deny.example.org.', ...EMAIL }),
      400,
      'invalid_zone_name',
    );
    expect(JSON.stringify(body)).not.toContain('secret-reason');
  });
});

describe('rules for names', () => {
  it('13.6 hold for zones that are imported', async () => {
    await add('tlds', { name: 'org' });
    const file = '$ORIGIN imported.example.net.\n@ 3600 IN SOA ns1.example.net. a.example.net. 1 2 3 4 5\n';
    const begun = owner.call('post', '/v2/zones/tasks/imports', file).set('Content-Type', 'text/dns');
    const { id } = await bodyOf<{ id: string }>(begun, 202);
    const show = () => bodyOf<{ status: string; message: string }>(owner.call('get', `/v2/zones/tasks/imports/${id}`));
    await until(async () => (await show()).status === 'ERROR');
    expect((await show()).message).toMatch(/TLD/);
  });

  it('13.6 hold in each process on one database', async () => {
    // SQLite serves one process.
    if (!ON_POSTGRES) return;
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const [one, other] = [await startTestService({}, directory), await startTestService({}, directory)];
    const make = (at: TestService, name: string) => at.as('acme').call('post', '/v2/zones', { name, ...EMAIL });
    await answerOf(make(one, 'a.example.net.'), 202);
    await answerOf(make(other, 'b.example.net.'), 202);
    const { id } = await bodyOf<{ id: string }>(one.call('post', '/v2/tlds', { name: 'org' }), 201);
    await v2RefusalOf(make(other, 'c.example.net.'), 400, 'invalid_zone_name');
    await answerOf(other.call('delete', `/v2/tlds/${id}`), 204);
    await answerOf(make(one, 'c.example.net.'), 202);
    await one.stop();
    await other.stop();
    await removeTestData(directory);
    await rm(directory, { recursive: true, force: true });
  });

  it('13.6 apply consistently: of a TLD and zones created concurrently, each zone is checked against one state', async () => {
    const attempts = Array.from({ length: 20 }, (_, index) =>
      owner.call('post', '/v2/zones', { name: `n${index}.example.net.`, ...EMAIL }),
    );
    const [tld, ...zones] = await Promise.all([service.call('post', '/v2/tlds', { name: 'org' }), ...attempts]);
    expect(tld.status).toBe(201);
    for (const { status } of zones) expect([202, 400]).toContain(status);
    await expectRefused('after.example.net.');
  });
});
