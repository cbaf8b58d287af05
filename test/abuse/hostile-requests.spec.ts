import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { bodyOf, expectRefusal, expectStatus, refusalOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { runCommand } from '../support/process.js';
import { sendRaw } from '../support/raw-http.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';
import { isPostgresUrl, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const CRLF = '\r\n';
const JSON_TYPE = 'Content-Type: application/json';
const head = (target: string, ...headers: string[]) => [`${target} HTTP/1.1`, ...headers, '', ''].join(CRLF);
/** Node stops at the thousandth header. All headers together may have 16 KiB. */
const CROWD = Array.from({ length: 2000 }, () => 'a:');

/** A request and its only allowed status. */
const REQUESTS: readonly (readonly [what: string, status: number, octets: string])[] = [
  ['a target whose port cannot be', 400, head('GET http://a:99999/v1/domains?limit=1', 'Host: a')],
  ['a target whose port is no number', 400, head('GET http://a:x/v1/domains?limit=1', 'Host: a')],
  ['a target whose address is not closed', 400, head('GET http://[::1/', 'Host: a')],
  ['the same, with a path', 400, head('GET http://[::1/v1/domains?limit=1', 'Host: a')],
  ['a target that is another scheme', 400, head('GET ftp://a/v1/domains?limit=1', 'Host: a')],
  ['an impossible target for a document', 400, head('GET http://a:99999/openapi.json', 'Host: a')],
  [
    'an empty Transfer-Encoding',
    400,
    `${head('POST /v1/domains', 'Host: a', JSON_TYPE, 'Transfer-Encoding:')}0${CRLF}${CRLF}`,
  ],
  [
    'an empty Transfer-Encoding with a length',
    400,
    `${head('POST /v1/domains', 'Host: a', JSON_TYPE, 'Transfer-Encoding: ', 'Content-Length: 2')}{}`,
  ],
  [
    'two Content-Types that differ',
    400,
    `${head('POST /v1/domains', 'Host: a', JSON_TYPE, 'Content-Type: text/plain', 'Content-Length: 2')}{}`,
  ],
  [
    'two Content-Types that agree',
    400,
    `${head('POST /v1/domains', 'Host: a', JSON_TYPE, JSON_TYPE, 'Content-Length: 2')}{}`,
  ],
  ['more than a thousand headers', 431, head('GET /v1/domains', 'Host: a', ...CROWD)],
  [
    'a tenant said twice, far apart',
    431,
    head('GET /v1/domains', 'Host: a', 'X-Auth-Project-ID: a', ...CROWD, 'X-Auth-Project-ID: b'),
  ],
  ['roles behind the thousandth header', 431, head('GET /v1/domains', 'Host: a', ...CROWD, 'X-Roles: reader')],
  ['a Host behind the thousandth header', 431, head('GET /v1/domains', ...CROWD, 'Host: a')],
];

describe('a request that means mischief', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it.each(REQUESTS)('2.3 is refused: %s (%d)', async (_, status, octets) => {
    const { status: answered, text, isClosed } = await sendRaw(service.url, octets);
    const [, body = ''] = text.split(`${CRLF}${CRLF}`);
    expect({ answered, body, isClosed }).toEqual({
      answered: status,
      body: expect.stringMatching(/^\{.*\}$/),
      isClosed: true,
    });
    expect(JSON.parse(body)).toMatchObject({ code: status, request_id: expect.stringMatching(/^req-/) });
  });

  it('1.4 with junk behind its body is answered, or it has stored nothing', async () => {
    for (const junk of ['junk', `${CRLF}${CRLF}junk${CRLF}`, '\0', `GET / HTTP/9.9${CRLF}${CRLF}`, '{}']) {
      const name = `junk${randomUUID().slice(0, 8)}.example.org.`;
      const body = JSON.stringify({ name, email: 'hostmaster@example.org' });
      const { text } = await sendRaw(
        service.url,
        `${head('POST /v1/domains', 'Host: a', JSON_TYPE, `Content-Length: ${body.length}`)}${body}${junk}`,
      );
      const { domains } = await bodyOf<{ domains: { name: string }[] }>(
        service.as('noauth-project', 'admin').call('get', '/v1/domains'),
      );
      const isStored = domains.some((domain) => domain.name === name);
      const isAcknowledged = text.startsWith('HTTP/1.1 200 ') && text.includes(`"name":"${name}"`);
      expect({ junk, isAcknowledged }).toEqual({ junk, isAcknowledged: isStored });
    }
  });

  it('3.3 in the role Reader, however it is spelled, reads and does not write', async () => {
    const domain = await newDomain(service.as('tenant-a'));
    for (const roles of ['Reader', 'READER', 'reader,Reader']) {
      const reader = service.as('tenant-a', roles);
      expectStatus(await reader.call('get', `/v1/domains/${domain.id}`), 200);
      await refusalOf(reader.call('put', `/v1/domains/${domain.id}`, { ttl: 60 }), 401, 'access_denied');
    }
    expectStatus(
      await service.as('tenant-b', 'Admin').call('get', `/v1/domains`).set('X-Auth-All-Projects', 'true'),
      200,
    );
  });

  it('6.4 rejects an unknown marker as a bad request', async () => {
    const domain = await newDomain(service);
    const record = await domain.newRecord();
    const unknown = [randomUUID(), record.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')), domain.id];
    for (const list of ['/v1/domains', `/v1/domains/${domain.id}/records`])
      for (const marker of list === '/v1/domains' ? unknown.slice(0, 2) : unknown) {
        const answer = await service.call('get', `${list}?limit=10&marker=${marker}`);
        expectRefusal(answer, { status: 400, type: 'invalid_object', faults: [{ path: 'marker', validator: 'enum' }] });
      }
  });

  it('6.4 with a limit that begins with a zero is a bad request', async () => {
    const domain = await newDomain(service);
    for (const list of ['/v1/domains', `/v1/domains/${domain.id}/records`])
      for (const limit of ['01', '00', '0010', '+1']) {
        const answer = await service.call('get', `${list}?limit=${limit}`);
        expectRefusal(answer, { status: 400, type: 'invalid_object' });
      }
  });
});

describe('a token without a role', () => {
  it.each(['', ' ', ',', ' , '])('3.1 is good for nothing (%j)', async (roles) => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const settings = { SERVICE_API__AUTH_STRATEGY: 'token' };
    const service = await startTestService(settings, directory);
    try {
      const { stdout } = await runCommand(directory, environmentOf(directory, settings), [
        'token',
        'create',
        '--tenant',
        'acme',
      ]);
      const ask = (path: string) => service.plain('get', path).set('X-Auth-Token', stdout.trim());
      expectStatus(await ask('/v1/domains'), 200);
      // The service notes the use a moment later. It must not hold the row when the test changes it.
      await until(() => isUseNoted(service.databaseFile));
      setRoles(service.databaseFile, roles);
      expectRefusal(await ask('/v1/domains'), { status: 401, type: 'access_denied' });
    } finally {
      await service.stop();
      await removeTestData(directory);
      await rm(directory, { recursive: true, force: true });
    }
  });
});

function isUseNoted(database: string): boolean {
  const used = "SELECT 1 FROM tokens WHERE tenant_id = 'acme' AND last_used_at IS NOT NULL";
  return lookInto(database, ({ rows }) => rows(used)).length > 0;
}

/** Sets the roles of acme tokens; no Zonewright command can clear them. */
function setRoles(database: string, roles: string): void {
  if (isPostgresUrl(database)) {
    queryPostgres(database, "UPDATE tokens SET roles = $1 WHERE tenant_id = 'acme'", [roles]);
    return;
  }
  const file = new Database(database, { fileMustExist: true });
  file.prepare("UPDATE tokens SET roles = ? WHERE tenant_id = 'acme'").run(roles);
  file.close();
}

describe('requests that mean mischief', () => {
  it('repeated endlessly, get no 500 and do not slow down a well-behaved client', async () => {
    const violations = await violationsUnder({
      name: 'hostile requests',
      run: async (target) => {
        const floods = REQUESTS.map(([, , octets]) =>
          target.flood({ kind: 'connections', connections: 2, octets, times: 1, reads: 'everything', reopens: true }),
        );
        await target.hold(inForm(3000, 20_000));
        const reports = await Promise.all(floods.map((flood) => flood.end()));
        const statuses = [...new Set(reports.flatMap((report) => Object.keys(report.statuses)))].sort();
        target.note({ statuses: statuses.join(' '), requests: reports.reduce((sum, { opened }) => sum + opened, 0) });
        target.must(statuses.join(' ') === '400 431', `the statuses are ${statuses.join(', ')}`);
        target.must(!/\bERROR\b/.test(target.log()), 'the service has logged errors');
      },
    });
    expect(violations).toEqual([]);
  });
});
