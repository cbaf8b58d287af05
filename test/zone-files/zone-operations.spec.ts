import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { answerOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { audit } from '../support/audit.js';
import { openSocket, receive } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';

const MAX_BODY = 100_000;
const FILE = 'www A 192.0.2.1\n';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({ SERVICE_API__MAX_BODY_SIZE: String(MAX_BODY) });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service.as('tenant-a', 'member'));
});
afterEach(() => audit(service.databaseFile));

const OPERATIONS = [
  { operation: 'import', method: 'post' },
  { operation: 'export', method: 'get' },
  { operation: 'check', method: 'get' },
] as const;

type Operation = (typeof OPERATIONS)[number];

/** The operation as that tenant with those roles calls it. */
function call({ operation, method }: Operation, id: string, tenant = 'tenant-a', ...roles: string[]) {
  const request = service.as(tenant, ...roles).call(method, `/v1/domains/${id}/${operation}`);
  return method === 'post' ? request.set('Content-Type', 'text/dns').send(FILE) : request;
}

describe.each(OPERATIONS)('$operation', (operation) => {
  const { method, operation: name } = operation;

  it('1.1, 15.1, 15.6, 15.7 answers 200 under /v1 and without it', async () => {
    await answerOf(call(operation, zone.id));
    const request = service.as('tenant-a').call(method, `/domains/${zone.id}/${name}`);
    await answerOf(method === 'post' ? request.set('Content-Type', 'text/dns').send(FILE) : request);
  });

  it('3.2 a foreign domain is 404, like one that never existed', async () => {
    const { message } = await refusalOf(call(operation, zone.id, 'tenant-b'), 404, 'domain_not_found');
    for (const id of [randomUUID(), 'no-uuid'])
      expect((await refusalOf(call(operation, id), 404, 'domain_not_found')).message).toBe(message);
  });

  it('3.2 an admin works on it for its tenant', async () => {
    const request = call(operation, zone.id, 'tenant-b', 'admin');
    await answerOf(request.set('X-Auth-Sudo-Tenant-ID', 'tenant-a'));
  });

  it(`3.3 the role reader ${method === 'post' ? 'may not' : 'may'}`, async () => {
    const request = call(operation, zone.id, 'tenant-a', 'reader');
    if (method === 'post') await refusalOf(request, 401, 'access_denied');
    else await answerOf(request);
  });

  it('406 where Accept excludes the answer, 405 for another method', async () => {
    await refusalOf(call(operation, zone.id).set('Accept', 'image/png'), 406, 'unsupported_accept');
    const other = service.call('put', `/v1/domains/${zone.id}/${name}`, {});
    const { headers } = await answerOf(other, 405);
    expect(headers.allow).toBe(method === 'post' ? 'POST' : 'GET, HEAD');
  });
});

describe('the body of an import', () => {
  const send = (type: string | null, body: string | Buffer = FILE) => {
    const request = service.as('tenant-a').call('post', `/v1/domains/${zone.id}/import`);
    return (type === null ? request : request.set('Content-Type', type)).send(body);
  };

  it.each(['text/dns', 'TEXT/DNS', 'text/dns; charset=utf-8', 'text/dns;charset="UTF-8"'])('15.1 %s is taken', (type) =>
    answerOf(send(type)),
  );

  it.each(['application/json', 'text/plain', 'text/dns; charset=latin1', 'application/octet-stream'])(
    '1.3 %s is 415',
    (type) => refusalOf(send(type), 415, 'unsupported_content_type'),
  );

  it('1.3 gzip is 415, with or without saying so', async () => {
    const packed = gzipSync(FILE);
    await refusalOf(send('text/dns', packed).set('Content-Encoding', 'gzip'), 415, 'unsupported_content_type');
    await refusalOf(send('text/dns', packed), 400, 'invalid_object');
    expect(await zone.records()).toEqual([]);
  });

  it('1.4 none at all is 400', async () => {
    await refusalOf(service.as('tenant-a').call('post', `/v1/domains/${zone.id}/import`), 400, 'invalid_object');
  });

  it('15.1 max_body_size applies to zone files: 413, without any stored change', async () => {
    const line = `www TXT ${'x'.repeat(90)}\n`;
    const fitting = line + '; '.padEnd(MAX_BODY - line.length - 1, 'x') + '\n';
    expect(await zone.import(fitting)).toMatchObject({ created: 1 });
    await refusalOf(zone.sendFile(`${fitting}\n`), 413, 'payload_too_large');
  });

  it('a chunked body without end is refused as soon as it is too long', async () => {
    const socket = openSocket(service.url);
    socket.write(
      `POST /v1/domains/${zone.id}/import HTTP/1.1\r\nHost: x\r\nX-Auth-Project-ID: tenant-a\r\n` +
        'Content-Type: text/dns\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = `${(65_536).toString(16)}\r\n${'; comment\n'.repeat(6554).slice(0, 65_536)}\r\n`;
    const sending = setInterval(() => socket.write(chunk), 5);
    const answer = await receive(socket, (text) => text.includes('payload_too_large'));
    clearInterval(sending);
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each(['?mode=append', '?mode=', '?dry_run=1', '?dry_run=', '?unknown=1', '?mode=merge&mode=replace'])(
    '%s is 400',
    async (query) => {
      await refusalOf(zone.sendFile(FILE, query), 400, 'invalid_object');
      expect(await zone.records()).toEqual([]);
    },
  );
});
