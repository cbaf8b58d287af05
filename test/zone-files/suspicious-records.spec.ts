import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});
beforeEach(async () => {
  zone = await newDomain(service);
});

const LOST_DOT = (name: string) =>
  new RegExp(`^${name.replaceAll('.', '\\.')}.* is not in the zone; if ${name} is meant, end`);

describe('suspicious records', () => {
  it.each([
    ['mail MX 10 mx.example.net', 'MX', LOST_DOT('mx.example.net.')],
    ['cdn CNAME d111.cloudfront.net', 'CNAME', LOST_DOT('d111.cloudfront.net.')],
    ['_sip._tls SRV 1 1 443 sipdir.online.lync.com', 'SRV', LOST_DOT('sipdir.online.lync.com.')],
    ['@ TXT v=spf1 include:_spf.example.net ~all', 'TXT', /joined without blanks to "v=spf1include/],
    ['_dns SVCB 1 ns port=853', 'SVCB', /without alpn/],
    ['_dns SVCB 1 ns alpn=h2', 'SVCB', /needs dohpath/],
    [
      'x HTTPS 0 www.example.net. port=443',
      'HTTPS',
      /priority 0 is an alias, .* PowerDNS 4\.7 refuses the whole domain/,
    ],
    ['sub DS 1 8 255 abcd', 'DS', /kzonecheck refuses digest type 255, .* Use 2 or 4/],
    ['x IPSECKEY 10 0 4 . AQID', 'IPSECKEY', /PowerDNS 4\.7 refuses the whole domain for algorithm 4/],
    ['_dns SVCB 0 dns.example.net. alpn=h2', 'SVCB', /priority 0 is an alias/],
  ])('15.7 an import and a check warn of %s', async (line, type, message) => {
    const { findings } = await zone.import(`ns A 192.0.2.1\n${line}\n`);
    const warning = { type, message: expect.stringMatching(message) };
    expect(findings).toMatchObject([{ ...warning, severity: 'warning', line: 2 }]);
    expect((await zone.check()).warnings).toContainEqual(expect.objectContaining(warning));
  });

  it('15.7 warn of the name of the zone that stands twice', async () => {
    const { findings } = await zone.import(`www CNAME ${zone.name.slice(0, -1)}\n`);
    expect(findings).toMatchObject([{ type: 'CNAME', message: expect.stringMatching(LOST_DOT(zone.name)) }]);
  });

  it.each([
    'www.dev A 192.0.2.1\nx CNAME www.dev\n',
    'x CNAME www\n',
    `@ TXT "v=spf1 include:_spf.example.net" " ~all"\n`,
    `@ TXT "v=spf1 ${'ip4:192.0.2.0/24 '.repeat(14).padEnd(248)}" "a -all"\n`,
    '_dns SVCB 1 ns alpn=dot\n',
    '_dns SVCB 1 ns alpn=h2 dohpath="/dns-query{?dns}"\n',
    'x SVCB 1 ns port=853\n',
    'x HTTPS 0 www.example.net.\n',
    'x IPSECKEY 10 0 2 . AQID\n',
    `sub NS ns.example.net.\nsub DS 1 8 2 ${'ab'.repeat(32)}\n`,
    'x HTTPS 1 www.example.net. port=443\n',
  ])('15.7 do not warn of %j', async (text) => {
    expect(await zone.import(text)).not.toHaveProperty('findings');
  });
});
