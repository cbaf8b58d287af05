import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';

const PREFIX = '/dns';

describeWithBrowser('1.7 the console below a path of a proxy', () => {
  let service: TokenService;
  let member: TokenClient;
  let zone: TestDomain;
  let proxy: Server;
  let browser: Browser;
  let person: Person;
  beforeAll(async () => {
    service = await startTokenService({ SERVICE_API__TRUSTED_PROXIES: '127.0.0.1' });
    member = await service.newToken();
    zone = await newDomain(member);
    await zone.newRecord();
    proxy = proxyTo(service.url);
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    browser = await openBrowser();
    // A server that listens at a port.
    const { port } = proxy.address() as AddressInfo;
    person = await Person.at(browser, `http://127.0.0.1:${port}${PREFIX}`);
  });
  afterAll(async () => {
    await browser.close();
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
  });

  it('1.7, 22.1 signs in, leads to where an address meant, and stays below the path', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.records.waitFor();
    const { pathname } = new URL(person.page.url());
    expect(pathname.startsWith(`${PREFIX}/console/zones/${zone.name}/records`)).toBe(true);
    await person.page.reload();
    await person.records.waitFor();
  });
});

/** Removes the prefix, and answers 404 to requests without it. */
function proxyTo(url: string): Server {
  return createServer((asked, answer) => {
    const { url: target = '', headers, method } = asked;
    if (!target.startsWith(`${PREFIX}/`)) return void answer.writeHead(404).end();
    const forwarded = { 'x-forwarded-host': headers.host, 'x-forwarded-proto': 'http', 'x-forwarded-prefix': PREFIX };
    const sent = request(new URL(target.slice(PREFIX.length), url), { method, headers: { ...headers, ...forwarded } });
    sent.once('response', (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    });
    sent.once('error', () => answer.destroy());
    asked.pipe(sent);
  });
}
