import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { loadConfig } from '../../src/app/composition/built-in-options.js';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { sendRaw } from '../support/raw-http.js';
import { type Method, startTestService, type TestService } from '../support/service.js';

const DENIED = { status: 401, type: 'access_denied', faults: [] };

describe('roles', () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service.as('acme'));
    record = await domain.newRecord();
  });
  afterAll(() => service.stop());

  const reads = () => [
    '/v1/domains',
    `/v1/domains/${domain.id}`,
    `/v1/domains/${domain.id}/servers`,
    `/v1/domains/${domain.id}/records`,
    `/v1/domains/${domain.id}/records/${record.id}`,
  ];
  const writes = (): [method: Method, path: string, body?: object][] => [
    ['post', '/v1/domains', { name: freshName(), email: 'hostmaster@example.org' }],
    ['put', `/v1/domains/${domain.id}`, {}],
    [
      'post',
      `/v1/domains/${domain.id}/records`,
      { name: `${randomUUID()}.${domain.name}`, type: 'A', data: '192.0.2.1' },
    ],
    ['put', `/v1/domains/${domain.id}/records/${record.id}`, {}],
  ];

  it('3.3 lets a reader read only', async () => {
    const reader = service.as('acme', 'reader');
    for (const path of reads())
      for (const method of ['get', 'head'] as const) expectStatus(await reader.call(method, path), 200);
    for (const [method, path, body] of [
      ...writes(),
      ['delete', `/v1/domains/${domain.id}/records/${record.id}`],
      ['delete', `/v1/domains/${domain.id}`],
    ] as [Method, string, object?][])
      expectRefusal(await reader.call(method, path, body), DENIED);
  });

  it.each(['Reader', 'READER', ' reader ', 'reader,Reader', ',reader,'])('3.3 takes %j for a reader', async (roles) => {
    const reader = service.as('acme', roles);
    expectStatus(await reader.call('get', `/v1/domains/${domain.id}`), 200);
    for (const [method, path, body] of writes()) expectRefusal(await reader.call(method, path, body), DENIED);
  });

  it.each([['member'], ['owner'], ['reader', 'member'], ['anything-else']])(
    "3.3 lets %s work on its own tenant's domains and records",
    async (...roles) => {
      const client = service.as('acme', ...roles);
      for (const path of reads()) expectStatus(await client.call('get', path), 200);
      for (const [method, path, body] of writes()) expectStatus(await client.call(method, path, body), 200);
    },
  );

  it.each([',', ' , '])('3.1 answers 401 to a caller without a role: X-Roles "%s"', async (roles) => {
    expectRefusal(await service.plain('get', '/v1/domains').set('X-Roles', roles), DENIED);
  });

  it('3.5 noauth makes a caller without headers the admin of noauth-project', async () => {
    const made = await service
      .plain('post', '/v1/domains')
      .send({ name: freshName(), email: 'hostmaster@example.org' });
    expectStatus(made, 200);
    const own = await service.as('noauth-project').call('get', '/v1/domains');
    expect(own.body.domains).toEqual([made.body]);
    const all = await service.plain('get', '/v1/domains').set('X-Auth-All-Projects', 'true');
    expect(all.body.domains.length).toBeGreaterThan(1);
  });

  it.each(['X-Auth-Project-ID', 'X-Auth-Sudo-Tenant-ID', 'X-Auth-All-Projects', 'X-Roles'])(
    '3.1 answers 401 to %s sent twice',
    async (name) => {
      const headers = `${name}: acme\r\n${name}: other`;
      const answer = await sendRaw(
        service.url,
        `GET /v1/domains HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n\r\n`,
      );
      expect(answer.status).toBe(401);
    },
  );
});

describe('noauth', () => {
  const configure = (options: Record<string, string>) => () =>
    loadConfig({
      cwd: '/nowhere',
      env: Object.fromEntries(
        Object.entries({ AUTH_STRATEGY: 'noauth', ...options }).map(([name, value]) => [
          `ZONEWRIGHT_SERVICE_API__${name}`,
          value,
        ]),
      ),
    });

  it.each(['0.0.0.0:9001', '[::]:9001', '192.0.2.1:9001', '[2001:db8::1]:9001', 'dns.example.org:9001'])(
    '3.5 refuses the public address %s',
    (listen) => {
      expect(configure({ LISTEN: listen })).toThrow(/\[service:api\] listen = .*loopback.*noauth_on_public_address/);
    },
  );

  it.each(['127.0.0.1:9001', '127.1.2.3:0', '[::1]:9001', 'localhost:9001'])(
    '3.5 takes the loopback address %s',
    (listen) => {
      expect(configure({ LISTEN: listen })).not.toThrow();
    },
  );

  it('3.5 accepts a public address when configured explicitly', () => {
    expect(configure({ LISTEN: '0.0.0.0:9001', NOAUTH_ON_PUBLIC_ADDRESS: 'True' })).not.toThrow();
  });
});
