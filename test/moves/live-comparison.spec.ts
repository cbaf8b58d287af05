import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, expectRefusal } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { FormerProvider } from '../support/former-provider.js';
import { HostileMaster } from '../support/hostile-master.js';
import { startTestService, type TestService } from '../support/service.js';
import type { LiveComparisonDto } from '../../src/moves/v1/dto/live-comparison.dto.js';

const LONG_TEST_MS = 60_000;

let service: TestService;
const masters: HostileMaster[] = [];

beforeAll(async () => {
  service = await startTestService({ SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8' });
});
afterAll(() => service.stop());
afterEach(() => {
  for (const master of masters.splice(0)) master.stop();
});

async function serverOf(zone: string, lines: readonly string[]): Promise<string> {
  const master = await HostileMaster.start(new FormerProvider(zone, lines));
  masters.push(master);
  return master.address;
}

const OURS = [
  { name: 'www', type: 'A', data: '192.0.2.3', ttl: 300 },
  { name: 'same', type: 'TXT', data: 'kept', ttl: 300 },
  { name: 'ttl', type: 'A', data: '192.0.2.4', ttl: 300 },
  { name: 'gone', type: 'A', data: '192.0.2.5', ttl: 300 },
  { name: 'alias', type: 'A', data: '192.0.2.6', ttl: 300 },
  { name: 'child', type: 'A', data: '192.0.2.7', ttl: 300 },
];
const THEIRS = [
  'www 300 A 192.0.2.33',
  'same 300 TXT "kept"',
  'ttl 60 A 192.0.2.4',
  'alias 300 CNAME www.example.net.',
  'child 300 NS ns1.example.net.',
];

describe('the comparison of a domain with live answers', () => {
  async function domain(records = OURS) {
    const made = await newDomain(service.as('acme'));
    for (const record of records) await bodyOf(made.create({ ...record, name: made.at(record.name) }));
    return made;
  }
  const compare = (id: string, query: string, role = 'member') =>
    service.as('acme', role).call('get', `/v1/domains/${id}/live-comparison?${query}`);

  it('15.11 tells missing and different records and other TTLs apart', async () => {
    const { id, name } = await domain();
    const [one, two] = [await serverOf(name, THEIRS), await serverOf(name, THEIRS)];
    const body = await bodyOf<LiveComparisonDto>(compare(id, `name_servers=${one},${two}`, 'reader'));
    const shown = (type: string, data: string, ttl = 300) => ({ type, ttl, data: [data] });
    const servers = { name_servers: [one, two] };
    expect(body).toMatchObject({ compared: 5, left_out: 1, unanswered: [] });
    expect(body.links.next).toBeUndefined();
    expect(body.name_servers).toMatchObject([{ reason: null }, { reason: null }]);
    expect(body.differences).toEqual([
      {
        ...{ name: `alias.${name}`, type: 'A', kind: 'data', ours: shown('A', '192.0.2.6') },
        ...{ theirs: shown('CNAME', 'www.example.net.'), ...servers },
      },
      { name: `gone.${name}`, type: 'A', kind: 'missing', ours: shown('A', '192.0.2.5'), theirs: null, ...servers },
      {
        ...{ name: `ttl.${name}`, type: 'A', kind: 'ttl', ours: shown('A', '192.0.2.4') },
        ...{ theirs: shown('A', '192.0.2.4', 60), ...servers },
      },
      {
        ...{ name: `www.${name}`, type: 'A', kind: 'data', ours: shown('A', '192.0.2.3') },
        ...{ theirs: shown('A', '192.0.2.33'), ...servers },
      },
    ]);
  });

  it('15.11 goes on behind the last record set of a page', async () => {
    const { id, name } = await domain();
    const server = await serverOf(name, THEIRS);
    let path: string | undefined = `/v1/domains/${id}/live-comparison?name_servers=${server}&limit=2`;
    const found: string[] = [];
    let pages = 0;
    for (; path !== undefined; pages += 1) {
      const body: LiveComparisonDto = await bodyOf<LiveComparisonDto>(service.as('acme').call('get', path));
      found.push(...body.differences.map((difference) => difference.name.split('.')[0] ?? ''));
      path = body.links.next?.replace(/^https?:\/\/[^/]+/, '');
    }
    expect({ pages, found }).toEqual({ pages: 3, found: ['alias', 'gone', 'ttl', 'www'] });
  });

  it('15.11 reports servers that give nothing, and compares nothing then', async () => {
    const { id } = await domain([]);
    const foreign = await serverOf('other.example.', []);
    const body = await bodyOf<LiveComparisonDto>(compare(id, `name_servers=${foreign},127.0.0.1:1`));
    expect(body).toMatchObject({ compared: 0, differences: [], unanswered: [] });
    expect(body.name_servers.map(({ reason }) => reason)).toEqual(['refused', 'unreachable']);
  });

  it('15.11 refuses wrong parameters, and domains of others', async () => {
    const { id } = await domain([]);
    const wrong = (path: string, query: string) =>
      compare(id, query).then((answer) => {
        expectRefusal(answer, { status: 400, type: 'invalid_object' });
        expect(answer.body).toMatchObject({ errors: [{ path }] });
      });
    await wrong('limit', 'limit=201');
    await wrong('limit', 'limit=0');
    await wrong('marker', 'name_servers=127.0.0.1:1&marker=nonsense');
    await wrong('marker', `name_servers=127.0.0.1:1&marker=${Buffer.from('["a\\u0000","A"]').toString('base64url')}`);
    await wrong('name_servers[0]', 'name_servers=10.0.0.1');
    await wrong('name_servers[0]', 'name_servers=');
    const other = await service.as('other').call('get', `/v1/domains/${id}/live-comparison?name_servers=127.0.0.1:1`);
    expectRefusal(other, { status: 404, type: 'domain_not_found' });
  });

  it(
    '15.11 makes progress with a server that answers nothing but the SOA',
    async () => {
      const { id, name } = await domain();
      const provider = new FormerProvider(name, []);
      const master = await HostileMaster.start({
        axfr: provider.axfr,
        soa: (query) => (query.questions[0]?.type === 6 ? provider.soa(query) : null),
      });
      masters.push(master);
      const began = performance.now();
      const body = await bodyOf<LiveComparisonDto>(compare(id, `name_servers=${master.address}`));
      expect(body.compared).toBe(0);
      expect(body.unanswered.length).toBeGreaterThan(0);
      expect(body.name_servers).toMatchObject([{ reason: 'no_answer' }]);
      expect(performance.now() - began).toBeLessThan(12_000);
    },
    LONG_TEST_MS,
  );
});
