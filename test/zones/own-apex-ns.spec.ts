import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { removeTestData, startTestService, type TestService } from '../support/service.js';

const OWN = ['ns1.example.net.', 'NS2.example.net.'];
const GENERATED = ['ns1.provider.example.', 'ns2.provider.example.'];
const named = (names: string): { SERVICE_CENTRAL__NAME_SERVERS: string } => ({ SERVICE_CENTRAL__NAME_SERVERS: names });

interface Shown extends DomainBody {
  readonly name_servers?: readonly string[];
}

let service: TestService;

/** The targets of the NS of the apex, as the export of the service has them. */
async function apexNsOf({ id, name }: Pick<DomainBody, 'id' | 'name'>, query = ''): Promise<string[]> {
  const { text } = await answerOf(service.call('get', `/v1/domains/${id}/export${query}`));
  const fields = linesOfExport(text).map((line) => line.split(/\s+/));
  return fields.flatMap((line) => (line[0] === name && line.includes('NS') ? [line.at(-1) ?? ''] : [])).sort();
}

function setNames({ id }: Pick<DomainBody, 'id'>, names: unknown): Promise<Shown> {
  return bodyOf<Shown>(service.call('put', `/v1/domains/${id}`, { name_servers: names }));
}

describe('custom NS of a zone', () => {
  let domain: TestDomain;

  beforeAll(async () => {
    service = await startTestService(named(GENERATED.join(',')));
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    domain = await newDomain(service);
  });
  afterEach(() => audit(service.databaseFile));

  it('6.8 takes the place of the generated ones, and is shown by both versions', async () => {
    expect(await domain.now()).not.toHaveProperty('name_servers');
    const changed = await setNames(domain, OWN);
    expect(changed.name_servers).toEqual(OWN);
    expect(changed.serial).toBeGreaterThan(domain.serial);
    expect(await apexNsOf(domain)).toEqual([...OWN].sort());
    const zone = await bodyOf<Shown>(service.call('get', `/v2/zones/${domain.id}`));
    expect(zone.name_servers).toEqual(OWN);
    expect(await domain.records()).toEqual([]);
    // Sending the response back changes nothing.
    expect((await bodyOf<Shown>(service.call('put', `/v1/domains/${domain.id}`, changed))).serial).toBe(changed.serial);
  });

  it('6.8 is set by version 2, also at zone creation, and reset by null', async () => {
    const made = await bodyOf<Shown>(
      service.call('post', '/v2/zones', { name: `v2.${domain.name}`, email: 'a@example.org', name_servers: OWN }),
      202,
    );
    expect(await apexNsOf(made)).toEqual([...OWN].sort());
    const generated = service.call('patch', `/v2/zones/${made.id}`, { name_servers: null });
    expect(await bodyOf(generated, 202)).not.toHaveProperty('name_servers');
    expect(await apexNsOf(made)).toEqual(GENERATED);
    expect(await setNames(domain, OWN)).toHaveProperty('name_servers');
    expect(await setNames(domain, null)).not.toHaveProperty('name_servers');
    expect(await apexNsOf(domain)).toEqual(GENERATED);
  });

  it('6.8, 11.2 is restored at an earlier serial', async () => {
    const { serial } = await setNames(domain, OWN);
    await setNames(domain, ['ns9.example.net.']);
    expect(await apexNsOf(domain)).toEqual(['ns9.example.net.']);
    expect(await apexNsOf(domain, `?serial=${serial}`)).toEqual([...OWN].sort());
    expect(await apexNsOf(domain, `?serial=${domain.serial}`)).toEqual(GENERATED);
  });

  it('6.5, 6.8 coexists with NS records of users', async () => {
    await setNames(domain, OWN);
    await domain.newRecord({ name: domain.name, type: 'NS', data: 'ns3.example.net.' });
    await domain.newRecord({ name: domain.name, type: 'NS', data: 'ns1.example.net.' });
    expect(await apexNsOf(domain)).toEqual([...OWN, 'ns3.example.net.'].sort());
  });

  it.each([
    ['no list', 'ns1.example.net.'],
    ['an empty list', []],
    ['a name without its dot', ['ns1.example.net']],
    ['the root', ['.']],
    ['an address', ['192.0.2.1']],
    ['a name twice', ['ns1.example.net.', 'NS1.example.net.']],
    ['no text', [1]],
    ['too many names', Array.from({ length: 101 }, (_, at) => `ns${at}.example.net.`)],
  ])('6.8 refuses %s', async (_, names) => {
    await refusalOf(service.call('put', `/v1/domains/${domain.id}`, { name_servers: names }), 400, 'invalid_object');
    expectStatus(await service.call('patch', `/v2/zones/${domain.id}`, { name_servers: names }), 400);
    expect(await apexNsOf(domain)).toEqual(GENERATED);
  });
});

describe('another configuration', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  });
  afterEach(() => removeTestData(directory));

  it('6.8, 12.2 keeps the custom NS of a zone', async () => {
    service = await startTestService(named('ns1.provider.example.'), directory);
    const domain = await newDomain(service);
    await setNames(domain, OWN);
    await service.stop();
    service = await startTestService(named('ns7.provider.example.'), directory);
    expect(await apexNsOf(domain)).toEqual([...OWN].sort());
    await setNames(domain, null);
    expect(await apexNsOf(domain)).toEqual(['ns7.provider.example.']);
    await service.stop();
  });
});
