/** A record; `@` in its name is the domain. */
export interface Sent {
  readonly name?: string;
  readonly type: unknown;
  readonly data: unknown;
  readonly [field: string]: unknown;
}

export const SHA1 = 'a1'.repeat(20);

const txt = (data: string): Sent => ({ type: 'TXT', data });
export const mx = (priority: unknown, data = 'mail.example.org.'): Sent => ({ type: 'MX', data, priority });
const srv = (data: unknown, name = '_sip._tcp.@'): Sent => ({ name, type: 'SRV', data, priority: 10 });
export const address = (name: string): Sent => ({ name, type: 'A', data: '192.0.2.1' });

export const STORED: [number: number, what: string, sent: Sent[]][] = [
  [
    4,
    'quotes and backslashes',
    [txt('foo\\" IN A 6.6.6.6 ; \\"'), txt('\\"'), txt('\\\\\\"'), txt('"\\\\"'), txt('"a\\"b" "\\\\c"')],
  ],
  [
    5,
    'what would be directives',
    [
      txt('(open'),
      txt('close)'),
      txt('; no comment'),
      txt('$ORIGIN example.net.'),
      txt('$INCLUDE /etc/passwd'),
      txt('$GENERATE 1-1000000 $ A 192.0.2.$'),
      txt('"$INCLUDE /etc/shadow"'),
      txt('@ 3600 IN NS evil.example.'),
    ],
  ],
  [
    11,
    'unquoted text, with blanks or without',
    [txt('v=spf1 include:example.org -all'), txt('nwqRkd7q_cS1XlDAEpeQ2mJ1pOXnH0aKlfvbYj6ZxJw')],
  ],
  [12, 'octets', [txt('ünïcödé'), txt('🦆'), txt('\\000\\255'), txt('\u00a0nbsp\u00a0')]],
  [
    17,
    'what a description carries, word for word',
    ['<script>alert(1)</script>', "=cmd|' /C calc'!A0", '\u001b[31mred', '\u202egnol', "'; DROP TABLE records; --"].map(
      (description, at) => ({ ...txt(`text ${String(at)}`), description }),
    ),
  ],
  [20, 'a mapped address', [{ type: 'AAAA', data: '::ffff:192.0.2.1' }]],
  [22, 'A-labels', [{ ...txt('text'), name: 'xn--bcher-kva.@' }]],
  [
    23,
    'underscores and one wildcard',
    ['_dmarc.@', '_443._tcp.@', '*.x.@', '*.@'].map((name) => ({ ...txt('text'), name })),
  ],
  [29, 'a null MX alone', [mx(0, '.')]],
  [29, 'a null MX with a priority', [mx(10, '.')]],
  [30, 'an SRV that says no', [srv('0 0 .')]],
  [
    31,
    'digests in either case',
    [
      { type: 'SSHFP', data: `1 1 ${SHA1}` },
      { type: 'SSHFP', data: `2 1 ${SHA1.toUpperCase()}` },
    ],
  ],
  [32, 'priorities', [mx(0), mx(65_535), { ...address('@'), priority: null }]],
  [
    33,
    'the ttl that certificate tools send',
    [1, 10, 2_147_483_647, null].map((ttl) => ({ ...txt(`ttl ${String(ttl)}`), ttl })),
  ],
];

export const REFUSED: [number: number, what: string, sent: Sent[]][] = [
  [
    1,
    'line breaks and quotes in text',
    [txt('a\nb'), txt('a\rb'), txt('a\r\nb'), txt('"a\nb"'), txt('foo"\nbar'), txt('a\u2028b\nc')],
  ],
  [
    2,
    'a line feed at the end of each field',
    [
      { ...address('www.@\n') },
      { type: 'A', data: '192.0.2.1\n' },
      { type: 'A\n', data: '192.0.2.1' },
      { type: 'AAAA', data: '::1\n' },
      { type: 'CNAME', data: 'www.example.org.\n' },
      mx(10, 'mail.example.org.\n'),
      srv('0 0 sip.example.org.\n'),
      { type: 'SSHFP', data: `1 1 ${SHA1}\n` },
      { type: 'NS', data: 'ns.example.org.\n' },
      { type: 'PTR', data: 'www.example.org.\n' },
      { type: 'SPF', data: 'v=spf1 -all\n' },
      txt('text\n'),
    ],
  ],
  [
    4,
    'a quote that would end the text',
    [txt('foo" IN A 6.6.6.6 ; "'), txt('\\\\"'), txt('odd\\'), txt('"odd\\\\\\"')],
  ],
  [11, 'stray and unbalanced quotes', [txt('a"b'), txt('"a'), txt('a"'), txt('"a"b"'), txt('"a"b')]],
  [12, 'NUL and controls', [txt('a\0b'), txt('a\u0007b'), txt('a\u007fb'), txt('a\u0085b')]],
  [
    13,
    'other spellings of one name',
    ['PTR', 'NS', 'CNAME', 'MX'].flatMap((type) =>
      ['a.example.org. ', 'a.example.org.\t', 'a..example.org.', '.example.org.', 'a.example.org'].map((data) => ({
        type,
        data,
        priority: type === 'MX' ? 10 : null,
      })),
    ),
  ],
  [
    15,
    'the data of another type',
    [
      { type: 'A', data: '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.' },
      { type: 'CNAME', data: '0 issue "ca.example.org"' },
      { type: 'PTR', data: '1 . alpn="h2"' },
      { type: 'NS', data: '10 1 "https://example.org/"' },
      { type: 'MX', data: '0 issue "ca.example.org"', priority: 10 },
    ],
  ],
  [
    16,
    'service bindings that overflow what they are made of',
    [
      '1 . port=65536',
      '65536 . alpn="h2"',
      `1 . alpn="${'h'.repeat(256)}"`,
      `1 . ipv4hint=${Array.from({ length: 16_384 }, () => '1.1.1.1').join(',')}`,
      `1 . key65000="${'x'.repeat(65_536)}"`,
    ].flatMap((data) => ['HTTPS', 'SVCB'].map((type) => ({ type, data }))),
  ],
  [
    20,
    'an almost valid address',
    [
      ...['127.000.0.01', '0x7f.1', '1.2.3', '1.2.3.4/32', '::ffff:1.2.3.4', '1.2.3.4.'].map((data) => ({
        type: 'A',
        data,
      })),
      ...['fe80::1%eth0', '[2001:db8::1]', '2001:db8::1/64', '1.2.3.4'].map((data) => ({ type: 'AAAA', data })),
    ],
  ],
  [
    22,
    'international names as they are, and what only looks like an A-label',
    ['ööö.@', '中文.@', 'xn--0.@', 'раураl.@'].map(address),
  ],
  [23, 'wildcards elsewhere, and hyphens at the ends', ['a.*.@', '**.@', '*a.@', '-a.@', 'a-.@'].map(address)],
  [24, 'names outside', ['www.example.net.', 'org.', 'x@', '.', '@example.net.'].map(address)],
  [25, 'a CNAME at the apex', [{ name: '@', type: 'CNAME', data: 'www.example.org.' }]],
  [29, 'MX to an address', [mx(10, '192.0.2.1')]],
  [
    30,
    'SRV of another shape',
    [
      ...[
        'sip.example.org.',
        '5060 sip.example.org.',
        '1 2 3 sip.example.org.',
        '-1 1 a.example.org.',
        '1 65536 a.example.org.',
        '1  1 a.example.org.',
      ].map((data) => srv(data)),
      srv('0 0 sip.example.org.', 'sip.@'),
    ],
  ],
  [
    31,
    'digests of another length or alphabet',
    [
      `1 1 ${SHA1}ab`,
      `1 1 ${SHA1.slice(1)}`,
      `1 2 ${SHA1}`,
      `5 1 ${SHA1}`,
      `1 3 ${SHA1}`,
      `1 1 ${SHA1.replace('a', 'x')}`,
      `1 1 ${SHA1.slice(20)} ${SHA1.slice(0, 20)}`,
    ].map((data) => ({ type: 'SSHFP', data })),
  ],
  [
    32,
    'priorities',
    [
      ...[null, undefined, -1, 65_536, 1.5, '10', true, [10]].map((priority) => mx(priority)),
      { ...address('@'), priority: 10 },
    ],
  ],
  [33, 'ttls', [0, -1, 2_147_483_648, 1.5, '300', true, {}].map((ttl) => ({ ...txt('text'), ttl }))],
  [
    38,
    'fields of other shapes',
    [
      { ...txt('text'), unknown: 1 },
      { type: ['A'], data: '192.0.2.1' },
      { type: 'A', data: { $ne: '' } },
      { type: 'A', data: null },
      { type: null, data: '192.0.2.1' },
      { ...txt('text'), description: ['a'] },
      { ...txt('text'), ttl: { toString: 'x' } },
    ],
  ],
];

/** Bodies that are no object of the interface. */
export const BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '[{}]',
  '"text"',
  '7',
  'true',
  '{',
  '{"name":',
  `${'['.repeat(1000)}${']'.repeat(1000)}`,
  `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
  '{"a":1}x',
  '\ufeff{}',
];
