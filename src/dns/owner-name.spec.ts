import { describe, expect, it } from '@jest/globals';

import { NameError } from './name.js';
import { parseDomainName, parseOwnerName } from './owner-name.js';
import { SRV } from './rdata/srv.js';

describe('parseOwnerName', () => {
  it.each([
    'www.example.org.',
    'WWW.Example.ORG.',
    'org.',
    '1.2.0.192.in-addr.arpa.',
    '0/25.2.0.192.in-addr.arpa.',
    '128/26.2.0.192.IN-ADDR.ARPA.',
    '*.example.org.',
    'a*.example.org.',
    'a-*.example.org.',
    'x.a-*-b.example.org.',
    '*.0/25.2.0.192.in-addr.arpa.',
    '_dmarc.example.org.',
    '_443._tcp.example.org.',
    '_-x.example.org.',
    'a--b.example.org.',
    'xn--bcher-kva.example.org.',
    'XN--BCHER-KVA.example.org.',
    `${'a'.repeat(63)}.example.org.`,
  ])('accepts %s', (text) => {
    expect(parseOwnerName(text).toString()).toBe(text);
  });

  it.each([
    ['', 'empty'],
    ['.', 'root'],
    ['@', '@'],
    ['www', 'end it with a dot'],
    ['www.example.org', 'end it with a dot'],
    ['www..example.org.', 'empty label'],
    ['-www.example.org.', '"-"'],
    ['www-.example.org.', '"-"'],
    ['www.-.example.org.', '"-"'],
    ['**.example.org.', '"*"'],
    ['www.*.example.org.', '"*"'],
    ['*.*.example.org.', '"*"'],
    ['0/25.example.org.', 'in-addr.arpa'],
    ['0/25.ip6.arpa.', 'in-addr.arpa'],
    ['a!b.example.org.', '"!"'],
    ['a@b.example.org.', '"@"'],
    [String.raw`a\.b.example.org.`, 'backslash'],
    [String.raw`\119ww.example.org.`, 'backslash'],
    ['www.example.org.\n', 'blank'],
    [' www.example.org.', 'blank'],
    ['bücher.example.org.', 'xn--bcher-kva.example.org.'],
    ['xn--zzzzzzzzzz99999.example.org.', 'A-label'],
    ['xn--.example.org.', '"-"'],
    ['xn--a.example.org.', 'A-label'],
    [`${'a'.repeat(64)}.example.org.`, '63'],
    ['a.'.repeat(128), '255'],
  ])('refuses %j and says why', (text, reason) => {
    expect(() => parseOwnerName(text)).toThrow(NameError);
    expect(() => parseOwnerName(text)).toThrow(reason);
  });

  it.each(['_sip._tcp.example.org.', '_SIP._UDP.org.', '_x-y._sctp.a.b.example.org.'])(
    'accepts %s for an SRV record',
    (text) => {
      expect(parseOwnerName(text, SRV.owner).toString()).toBe(text);
    },
  );

  it.each([
    'example.org.',
    'sip.tcp.example.org.',
    '_sip.tcp.example.org.',
    '_sip.example.org.',
    '*._tcp.example.org.',
    '_._tcp.example.org.',
    '_sip._tcp.',
  ])('refuses %s for an SRV record', (text) => {
    expect(() => parseOwnerName(text, SRV.owner)).toThrow('_sip._tcp.');
  });
});

describe('parseDomainName', () => {
  it.each(['example.org.', 'org.', '_msdcs.example.org.', '0/25.2.0.192.in-addr.arpa.'])('accepts %s', (text) => {
    expect(parseDomainName(text).toString()).toBe(text);
  });

  it.each(['.', '*.example.org.', 'example.org', 'exa mple.org.', '-.org.', 'a/b.org.'])('refuses %j', (text) => {
    expect(() => parseDomainName(text)).toThrow(NameError);
  });
});
