import { describe, expect, it } from '@jest/globals';

import { httpBase, issuer, listenAddress, network, origin, serverName } from './address-readers.js';
import {
  boolean,
  claimPath,
  integer,
  list,
  oneOf,
  orEmpty,
  type Reader,
  secret,
  size,
  text,
  token,
  tokenType,
} from './readers.js';

interface Cases<T> {
  readonly accepts: readonly (readonly [string, T])[];
  readonly refuses: readonly string[];
}

/** A reader's test is two lists. */
function describeReader<T>(name: string, reader: Reader<T>, { accepts, refuses }: Cases<T>): void {
  describe(name, () => {
    it.each(accepts)('accepts %j', (value, expected) => {
      expect(reader.read(value)).toEqual(expected);
    });
    it.each(refuses)('refuses %j', (value) => {
      expect(reader.read(value)).toBeUndefined();
    });
  });
}

describeReader('boolean', boolean, {
  accepts: [
    ...['True', 'true', 'TRUE', '1', 'yes', 'Yes', 'on', ' on '].map((word) => [word, true] as const),
    ...['False', 'false', 'FALSE', '0', 'no', 'NO', 'off'].map((word) => [word, false] as const),
  ],
  refuses: ['', 't', 'y', '2', 'null', 'true false'],
});

describeReader('integer', integer(-1, 3600), {
  accepts: [
    ['-1', -1],
    ['0', 0],
    [' 60\t', 60],
    ['3600', 3600],
  ],
  refuses: ['', '-2', '3601', '+1', '01', '-0', '1.0', '1e3', '0x10', '1_000', '١', '99999999999999999999'],
});

describeReader('size', size, {
  accepts: [
    ['1', 1],
    ['1048576', 1_048_576],
    ['1 MiB', 1_048_576],
    ['512 KiB', 524_288],
    ['10MB', 10_000_000],
    ['10 kb', 10_000],
    ['100 B', 100],
    ['1GiB', 1_073_741_824],
  ],
  refuses: ['', '0', '1.5 MiB', '-1', '1 M', '1 KiBi', '2 GiB', '1073741825', 'MiB', '1 MiB 2', '1 constructor'],
});

describeReader('one of', oneOf('token', 'noauth'), {
  accepts: [['token', 'token']],
  refuses: ['', 'Token', 'token,noauth', 'constructor'],
});

describeReader('list', list(text), {
  accepts: [
    ['a', ['a']],
    [' a ,b', ['a', 'b']],
  ],
  refuses: ['', ',', 'a,', 'a,,b', 'a,A', 'a,\u0000'],
});

describeReader('or empty', orEmpty(null, integer(1, 5)), {
  accepts: [
    ['', null],
    ['  ', null],
    ['5', 5],
  ],
  refuses: ['0', 'null', 'empty', 'None'],
});

describeReader('claim', claimPath, {
  accepts: [
    ['tenant_id', ['tenant_id']],
    ['realm_access.roles', ['realm_access', 'roles']],
    ['resource_access.my-client.roles', ['resource_access', 'my-client', 'roles']],
    ['https://example.org/v1.0/roles', ['https://example.org/v1.0/roles']],
  ],
  refuses: ['', '.', '.roles', 'roles.', 'a..b', 'a\nb'],
});

describeReader('token type', tokenType, {
  accepts: [
    ['JWT', 'jwt'],
    ['at+jwt', 'at+jwt'],
  ],
  refuses: ['', 'application/at+jwt', 'a b'],
});

describeReader('issuer', issuer, {
  accepts: [
    'https://issuer.example.org',
    'https://issuer.example.org/',
    'https://issuer.example.org/realms/Main',
    'http://127.0.0.1:8080',
    'http://[::1]:8080/x',
    'http://localhost',
  ].map((url) => [url, url] as const),
  refuses: [
    '',
    'issuer.example.org',
    'http://issuer.example.org',
    'http://192.0.2.1',
    'http://localhost.example.org',
    'https://a:b@issuer.example.org',
    'https://issuer.example.org?x',
    'https://issuer.example.org#x',
    'file:///etc/issuer',
    'https:issuer.example.org',
  ],
});

describeReader('secret', secret, {
  accepts: [
    [' a b ', ' a b '],
    ['pässword', 'pässword'],
  ],
  refuses: ['', 'a\nb', 'a\u0085'],
});

describeReader('token', token, {
  accepts: [
    ['0123456789abcdef', '0123456789abcdef'],
    ['!"#$%&/()=?`^°~'.replace('°', '{}'), '!"#$%&/()=?`^{}~'],
  ],
  refuses: ['', '0123456789abcde', '0123456789 abcdef', '0123456789abcdef ', '0123456789abcdef\n', '0123456789abcdeé'],
});

describeReader('listen address', listenAddress, {
  accepts: [
    ['127.0.0.1:9001', { host: '127.0.0.1', port: 9001 }],
    ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65535 }],
    ['[fe80::1%eth0]:1', { host: 'fe80::1%eth0', port: 1 }],
    ['dns-1.example.org:53', { host: 'dns-1.example.org', port: 53 }],
    ['localhost:80', { host: 'localhost', port: 80 }],
  ],
  refuses: [
    '',
    '9001',
    ':9001',
    '*:9001',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:080',
    '127.0.0.1:-1',
    '127.0.0.1: 80',
    '127.0.0.256:80',
    '127.1:80',
    '::1:9001',
    '[::1]',
    '[127.0.0.1]:80',
    '[localhost]:80',
    '-a.example.org:80',
    'a..example.org:80',
    'http://localhost:80',
  ],
});

describeReader('network', network, {
  accepts: ['192.0.2.1', '192.0.2.0/24', '192.0.2.1/32', '2001:db8::1', '2001:db8::/128', '::1'].map(
    (each) => [each, each] as const,
  ),
  refuses: [
    '',
    '192.0.2',
    '192.0.2.0/33',
    '0.0.0.0/0',
    '::/0',
    '2001:db8::/129',
    '192.0.2.0/024',
    '192.0.2.0/',
    'fe80::1%eth0',
    'loopback',
    '192.0.2.0/255.255.255.0',
  ],
});

describeReader('http base', httpBase, {
  accepts: [
    ['http://dns.example.org', 'http://dns.example.org'],
    ['https://DNS.example.org:443/', 'https://dns.example.org'],
    ['http://[2001:db8::1]:9001/dns/', 'http://[2001:db8::1]:9001/dns'],
  ],
  refuses: [
    '',
    'dns.example.org',
    'http:dns.example.org',
    'http:\\\\dns.example.org',
    'ftp://dns.example.org',
    'https://',
    'http://u:p@dns.example.org',
    'http://dns.example.org/?a',
    'http://dns.example.org/#a',
    'http://dns example.org',
    'http://dns.example.org:x',
  ],
});

describeReader('origin', origin, {
  accepts: [
    ['https://dns.example.org', 'https://dns.example.org'],
    ['https://DNS.example.org:443/', 'https://dns.example.org'],
    ['http://localhost:8080', 'http://localhost:8080'],
  ],
  refuses: ['', '*', 'null', 'dns.example.org', 'https://dns.example.org/app', 'https://*.example.org/x'],
});

const LONG_LABEL = 'a'.repeat(63);

describeReader('server name', serverName, {
  accepts: ['ns1.example.org.', 'NS-1.example.org.', 'ns.', '1.2.example.', `${LONG_LABEL}.example.org.`].map(
    (each) => [each, each] as const,
  ),
  refuses: [
    '',
    '.',
    'ns1.example.org',
    'ns1..example.org.',
    '-ns.example.org.',
    'ns-.example.org.',
    'ns_1.example.org.',
    '*.example.org.',
    'nß.example.org.',
    '192.0.2.1.',
    `${LONG_LABEL}a.example.org.`,
    `${LONG_LABEL}.${LONG_LABEL}.${LONG_LABEL}.${LONG_LABEL}.`,
  ],
});
