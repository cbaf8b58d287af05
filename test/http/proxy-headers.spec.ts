import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bodyOf, expectStatus } from '../support/answers.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { startTokenService, type TokenService } from '../support/token-service.js';

type Headers = Readonly<Record<string, string>>;

/** 127.0.0.1, the address of these test requests, and another trusted proxy. */
const PROXIES = '127.0.0.1, 198.51.100.0/24';

let service: TestService;
let domain: TestDomain;
beforeAll(async () => {
  service = await startTestService({ SERVICE_API__TRUSTED_PROXIES: PROXIES });
  domain = await newDomain(service);
});
afterAll(() => service.stop());

async function baseOf(headers: Headers): Promise<string> {
  const { body } = await service.plain('get', '/').set(headers);
  return (body.versions.values[0].links[0].href as string).replace(/\/v1$/, '');
}

const own = (): string => service.url;

describe('links behind a trusted proxy', () => {
  it.each<[string, Headers, string]>([
    ['proto', { 'X-Forwarded-Proto': 'https', Host: 'dns.example.org' }, 'https://dns.example.org'],
    ['proto in capitals', { 'X-Forwarded-Proto': 'HTTPS', Host: 'dns.example.org' }, 'https://dns.example.org'],
    ['a host', { 'X-Forwarded-Host': 'dns.example.org' }, 'http://dns.example.org'],
    ['a host with a port', { 'X-Forwarded-Host': 'dns.example.org:8443' }, 'http://dns.example.org:8443'],
    ['an IPv6 host', { 'X-Forwarded-Host': '[2001:db8::1]:8443' }, 'http://[2001:db8::1]:8443'],
    [
      'a port with a host',
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'dns.example.org', 'X-Forwarded-Port': '8443' },
      'https://dns.example.org:8443',
    ],
    [
      'the port of the scheme',
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'dns.example.org', 'X-Forwarded-Port': '443' },
      'https://dns.example.org',
    ],
    [
      'two ports, of which that of the host counts',
      { 'X-Forwarded-Host': 'dns.example.org:8080', 'X-Forwarded-Port': '80' },
      'http://dns.example.org:8080',
    ],
    [
      'a port with the Host',
      { Host: 'dns.example.org:9001', 'X-Forwarded-Port': '8443' },
      'http://dns.example.org:8443',
    ],
    ['a prefix', { Host: 'example.org', 'X-Forwarded-Prefix': '/dns/' }, 'http://example.org/dns'],
    ['prefixes of two proxies', { Host: 'example.org', 'X-Forwarded-Prefix': '/a, /b' }, 'http://example.org/a/b'],
    ['the root as a prefix', { Host: 'example.org', 'X-Forwarded-Prefix': '/' }, 'http://example.org'],
    [
      'values of two proxies, of which the first counts',
      { 'X-Forwarded-Proto': 'https, http', 'X-Forwarded-Host': 'dns.example.org, internal:9001' },
      'https://dns.example.org',
    ],
    ['Forwarded', { Forwarded: 'for=192.0.2.1;proto=https;host=dns.example.org' }, 'https://dns.example.org'],
    ['Forwarded with a port', { Forwarded: 'host="dns.example.org:8443";proto=https' }, 'https://dns.example.org:8443'],
    [
      'Forwarded and a prefix',
      { Forwarded: 'proto=https;host=example.org', 'X-Forwarded-Prefix': '/dns' },
      'https://example.org/dns',
    ],
    [
      'Forwarded of a proxy behind another trusted one',
      { Forwarded: 'for=192.0.2.1;proto=https;host=dns.example.org, for=198.51.100.7;proto=http;host=internal' },
      'https://dns.example.org',
    ],
    [
      'Forwarded in front of which the client has written its own',
      { Forwarded: 'for=192.0.2.9;host=evil.example;proto=http, for=192.0.2.1;proto=https;host=dns.example.org' },
      'https://dns.example.org',
    ],
    [
      'Forwarded with X-Forwarded-*, which wins',
      { Forwarded: 'proto=http;host=evil.example', 'X-Forwarded-Proto': 'https', Host: 'dns.example.org' },
      'https://dns.example.org',
    ],
    [
      'Forwarded with X-Forwarded-For alone, which wins too',
      { Forwarded: 'proto=https;host=evil.example', 'X-Forwarded-For': '192.0.2.1', Host: 'dns.example.org' },
      'http://dns.example.org',
    ],
  ])('1.7 begin as %s says', async (_, headers, expected) => {
    expect(await baseOf(headers)).toBe(expected);
  });

  it.each<Headers>([
    { 'X-Forwarded-Proto': 'javascript' },
    { 'X-Forwarded-Proto': 'https, javascript' },
    { 'X-Forwarded-Proto': '' },
    { 'X-Forwarded-Host': 'evil"<b>' },
    { 'X-Forwarded-Host': 'a b' },
    { 'X-Forwarded-Host': 'evil.example/path' },
    { 'X-Forwarded-Host': 'user@evil.example' },
    { 'X-Forwarded-Host': 'evil.example:0' },
    { 'X-Forwarded-Host': 'evil.example:65536' },
    { 'X-Forwarded-Host': 'evil.example:' },
    { 'X-Forwarded-Host': '[::1' },
    { 'X-Forwarded-Host': '[fe80::1%eth0]' },
    { 'X-Forwarded-Host': '192.0.2.999' },
    { 'X-Forwarded-Host': 'dns.example.org, evil"<b>' },
    { 'X-Forwarded-Port': '0' },
    { 'X-Forwarded-Port': '443/path' },
    { 'X-Forwarded-Prefix': '//evil.example' },
    { 'X-Forwarded-Prefix': 'dns' },
    { 'X-Forwarded-Prefix': '/a/../b' },
    { 'X-Forwarded-Prefix': '/a/%2E%2e/b' },
    { 'X-Forwarded-Prefix': '/"><script>' },
    { 'X-Forwarded-Prefix': '/a?b#c' },
    { 'X-Forwarded-Prefix': '/a, evil' },
    { Forwarded: 'proto=javascript;host=evil.example' },
    { Forwarded: 'proto=https;host="evil\\"<b>"' },
    { Forwarded: 'proto=https;host=evil.example:8443' },
    { Forwarded: 'proto=https;proto=http' },
    { Forwarded: 'nonsense' },
  ])('1.7 are as they were without %j, which is not valid', async (headers) => {
    expect(await baseOf(headers)).toBe(own());
  });

  it('1.7 keep valid headers next to invalid ones', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil"<b>', Host: 'dns.example.org' };
    expect(await baseOf({ ...headers, 'X-Forwarded-Prefix': '//evil' })).toBe('https://dns.example.org');
  });

  it('1.7 are URLs of http or https with any headers', async () => {
    const value = fc.stringMatching(/^[\t -~]{0,30}$/);
    const names = ['X-Forwarded-Proto', 'X-Forwarded-Host', 'X-Forwarded-Port', 'X-Forwarded-Prefix', 'Forwarded'];
    const part = fc.oneof(
      value,
      fc.constantFrom('https', 'a.example', 'a.example:1', '8443', '/p', '//p', 'host=a', ','),
    );
    const headers = fc.dictionary(
      fc.constantFrom(...names),
      fc.array(part, { maxLength: 3 }).map((parts) => parts.join('')),
    );
    await holdsFor(
      headers,
      async (sent) => {
        const base = await baseOf(sent);
        expect(base).toMatch(/^https?:\/\/[\w.:[\]-]+(?:\/[\w.~!$&*+=:@%-]+)*$/);
        expect(new URL(base).username).toBe('');
      },
      { numRuns: times(100, 5000) },
    );
  });

  it('1.7 begin in the same way in every interface', async () => {
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'example.org', 'X-Forwarded-Prefix': '/dns' };
    const base = 'https://example.org/dns';
    const get = async (path: string): Promise<string> =>
      JSON.stringify(await bodyOf(service.call('get', path).set(forwarded)));
    const paths = ['/', '/v2/', '/v1/domains?limit=1', `/v1/domains/${domain.id}/history`, '/v2/zones?limit=1'];
    for (const path of [...paths, `/v2/zones/${domain.id}`, `/v2/zones/${domain.id}/recordsets`]) {
      const answer = await get(path);
      expect(answer).toContain(`"${base}/`);
      expect(answer.replaceAll(base, '')).not.toMatch(/https?:/);
    }
    const body = { name: freshName(), email: 'hostmaster@example.org' };
    for (const path of ['/v1/domains', '/v2/zones']) {
      const made = await service.call('post', path, { ...body, name: freshName() }).set(forwarded);
      expect(made.headers.location).toMatch(new RegExp(`^${base}${path}/[0-9a-f-]{36}$`));
    }
  });
});

describe('the address of a client behind a trusted proxy', () => {
  let tokens: TokenService;
  let limited: Client;
  beforeAll(async () => {
    tokens = await startTokenService({ SERVICE_API__TRUSTED_PROXIES: PROXIES });
    limited = await tokens.newToken({ restrictions: { networks: ['192.0.2.0/24'] } });
  });
  afterAll(() => tokens.stop());

  it.each<[string, Headers, boolean]>([
    ['X-Forwarded-For', { 'X-Forwarded-For': '192.0.2.1' }, true],
    ['X-Forwarded-For with a port', { 'X-Forwarded-For': '192.0.2.1:49152' }, true],
    ['X-Forwarded-For through two proxies', { 'X-Forwarded-For': '192.0.2.1, 198.51.100.7' }, true],
    ['what the client has put in front', { 'X-Forwarded-For': '192.0.2.1, 203.0.113.5' }, false],
    ['Forwarded', { Forwarded: 'for=192.0.2.1' }, true],
    ['Forwarded with a port', { Forwarded: 'for="192.0.2.1:49152"' }, true],
    ['Forwarded through two proxies', { Forwarded: 'for=192.0.2.1, for=198.51.100.7' }, true],
    ['what the client has put in front of Forwarded', { Forwarded: 'for=192.0.2.1, for=203.0.113.5' }, false],
    ['an address before a hidden one', { Forwarded: 'for=192.0.2.1, for=_hidden' }, false],
    ['Forwarded with X-Forwarded-For', { Forwarded: 'for=192.0.2.1', 'X-Forwarded-For': '203.0.113.5' }, false],
    ['Forwarded that is not valid', { Forwarded: 'for=192.0.2.1;for=192.0.2.1' }, false],
  ])('1.7, 14.2 is that of %s', async (_, headers, isClient) => {
    expectStatus(await limited.call('get', '/v1/domains').set(headers), isClient ? 200 : 401);
  });
});

describe('headers of a client that is not a trusted proxy', () => {
  it('1.7 means nothing', async () => {
    const direct = await startTestService({ SERVICE_API__TRUSTED_PROXIES: '198.51.100.0/24' });
    const forwarded = {
      ...{ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Port': '1' },
      ...{ 'X-Forwarded-Prefix': '/evil', Forwarded: 'host=evil.example' },
    };
    const { body } = await direct.plain('get', '/').set(forwarded);
    await direct.stop();
    expect(body.versions.values[0].links[0].href).toBe(`${direct.url}/v1`);
  });
});
