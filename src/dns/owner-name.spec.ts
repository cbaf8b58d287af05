import { describe, expect, it } from '@jest/globals';

import { NameError } from './name.js';
import { parseDomainName, parseNewOwnerName, parseOwnerName, storedOwnerName } from './owner-name.js';
import { MX, SRV } from './rdata/service-types.js';
import { TXT } from './rdata/text-types.js';

describe('parseOwnerName of a type at hosts', () => {
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
    expect(parseOwnerName(text, MX).toString()).toBe(text);
  });

  it.each([
    ['', 'empty'],
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
    expect(() => parseOwnerName(text, MX)).toThrow(NameError);
    expect(() => parseOwnerName(text, MX)).toThrow(reason);
  });
});

describe('parseOwnerName of other types', () => {
  it.each([
    String.raw`Main\032Printer._ipp._tcp.example.org.`,
    String.raw`a\.b.example.org.`,
    String.raw`\000\255.example.org.`,
    'sub.*.example.org.',
    '*.*.example.org.',
    '**.example.org.',
    '-foo.example.org.',
    'foo-.example.org.',
    'foo/bar.example.org.',
    'xn--a.example.org.',
    'sip.example.org.',
  ])('accepts %s', (text) => {
    for (const type of [TXT, SRV, null]) expect(parseOwnerName(text, type).toString()).toBe(text);
  });

  it.each(['', '@', 'www', 'a..b.', 'bücher.example.org.', 'a b.example.org.', 'a;b.', `${'a'.repeat(64)}.`])(
    'refuses %j',
    (text) => {
      expect(() => parseOwnerName(text, TXT)).toThrow(NameError);
    },
  );
});

describe('parseNewOwnerName', () => {
  it.each([
    '_sip._tcp.example.org.',
    '_SIP._UDP.org.',
    '_x-y._sctp.a.b.example.org.',
    '*._tcp.example.org.',
    '*.example.org.',
  ])('accepts %s for an SRV record', (text) => {
    expect(parseNewOwnerName(text, SRV).toString()).toBe(text);
  });

  it.each([
    'example.org.',
    'sip.tcp.example.org.',
    '_sip.tcp.example.org.',
    '_sip.example.org.',
    '_._tcp.example.org.',
    '_sip._tcp.',
  ])('refuses %s for an SRV record', (text) => {
    expect(() => parseNewOwnerName(text, SRV)).toThrow('_sip._tcp.');
  });
});

describe('storedOwnerName', () => {
  it.each([
    ['WWW.example.org.', 'WWW.example.org.'],
    ['*.0/25.2.0.192.in-addr.arpa.', '*.0/25.2.0.192.in-addr.arpa.'],
    [String.raw`\119ww.example.org.`, 'www.example.org.'],
    [String.raw`a\@b\032.example.org.`, String.raw`a\064b\032.example.org.`],
    ['a+b.example.org.', String.raw`a\043b.example.org.`],
  ])('of %s is %s', (text, stored) => {
    expect(storedOwnerName(text, parseOwnerName(text))).toBe(stored);
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
