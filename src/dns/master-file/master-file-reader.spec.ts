import { describe, expect, it } from '@jest/globals';

import { ALL_TYPES, EXAMPLE_ORG, errorsOf, linesOf, readAll, readSigned } from '../../../test/support/master-file.js';
import { DomainName } from '../name.js';
import { MasterFileReader } from './master-file-reader.js';
import { A } from '../rdata/address-types.js';
import { RecordTypes, recordType } from '../rdata/index.js';

type Style = readonly [title: string, file: string, records: readonly string[]];

const STYLES: readonly Style[] = [
  ['an empty file', '', []],
  ['blank lines and comments only', '\n  \n; a comment\n\t; another', []],
  ['a record in full', 'a.example.org. 300 IN A 192.0.2.1\n', ['a.example.org. 300 A 192.0.2.1']],
  ['a last line without line end', 'a 300 IN A 192.0.2.1', ['a.example.org. 300 A 192.0.2.1']],
  ['TTL and class in the other order', 'a IN 300 A 192.0.2.1', ['a.example.org. 300 A 192.0.2.1']],
  ['no class', 'a 300 A 192.0.2.1', ['a.example.org. 300 A 192.0.2.1']],
  ['no TTL', 'a IN A 192.0.2.1', ['a.example.org. - A 192.0.2.1']],
  ['neither of them', 'a A 192.0.2.1', ['a.example.org. - A 192.0.2.1']],
  [
    'classes and types in any case',
    'a 5 in a 192.0.2.1\na 5 Class1 tXt x',
    ['a.example.org. 5 A 192.0.2.1', 'a.example.org. 5 TXT "x"'],
  ],
  [
    'types as numbers',
    'a 5 TYPE1 \\# 4 c0000201\na 5 type65280 \\# 1 ff',
    ['a.example.org. 5 A 192.0.2.1', 'a.example.org. 5 TYPE65280 \\# 1 ff'],
  ],
  ['data in octets', 'a 5 MX \\# 5 000a 016D 00', ['a.example.org. 5 MX 10 m.']],
  ['tabs', 'a\t5\tIN\tA\t\t192.0.2.1\t; one', ['a.example.org. 5 A 192.0.2.1']],
  ['a comment without a blank before it', 'a 5 A 192.0.2.1;one', ['a.example.org. 5 A 192.0.2.1']],
  ['a name that looks like a class', 'IN 5 A 192.0.2.1', ['IN.example.org. 5 A 192.0.2.1']],
  [
    'names: relative, absolute, @, .',
    'a 5 MX 0 .\n@ 5 MX 5 b\nc.example.org. 5 MX 6 @\n*.d 5 MX 7 e.',
    [
      'a.example.org. 5 MX 0 .',
      'example.org. 5 MX 5 b.example.org.',
      'c.example.org. 5 MX 6 example.org.',
      '*.d.example.org. 5 MX 7 e.',
    ],
  ],
  [
    'escapes in names',
    'a\\.b.c 5 CNAME \\100\\ \\;\n\\@ 5 TXT x',
    ['a\\.b.c.example.org. 5 CNAME d\\032\\059.example.org.', '\\064.example.org. 5 TXT "x"'],
  ],
  [
    'an inherited owner',
    'a 5 A 192.0.2.1\n  5 A 192.0.2.2\n\n; comment\n\t5 TXT x',
    ['a.example.org. 5 A 192.0.2.1', 'a.example.org. 5 A 192.0.2.2', 'a.example.org. 5 TXT "x"'],
  ],
  [
    'an inherited TTL',
    'a 5 A 192.0.2.1\nb A 192.0.2.2\nc 6 A 192.0.2.3\nd IN A 192.0.2.4',
    [
      'a.example.org. 5 A 192.0.2.1',
      'b.example.org. 5 A 192.0.2.2',
      'c.example.org. 6 A 192.0.2.3',
      'd.example.org. 6 A 192.0.2.4',
    ],
  ],
  [
    '$TTL, which no record changes',
    '$TTL 1h ; default\na A 192.0.2.1\nb 5 A 192.0.2.2\nc A 192.0.2.3\n$ttl 7\nd A 192.0.2.4',
    [
      'a.example.org. 3600 A 192.0.2.1',
      'b.example.org. 5 A 192.0.2.2',
      'c.example.org. 3600 A 192.0.2.3',
      'd.example.org. 7 A 192.0.2.4',
    ],
  ],
  [
    'TTL units',
    'a 1w2d3H4m5S A 192.0.2.1\nb 0 A 192.0.2.2\nc 2147483647 A 192.0.2.3\nd 007 A 192.0.2.4',
    [
      'a.example.org. 788645 A 192.0.2.1',
      'b.example.org. 0 A 192.0.2.2',
      'c.example.org. 2147483647 A 192.0.2.3',
      'd.example.org. 7 A 192.0.2.4',
    ],
  ],
  [
    '$ORIGIN, absolute and relative',
    'a 5 CNAME x\n$ORIGIN sub.example.org.\nb 5 CNAME x\n$origin deep ; relative\n@ 5 TXT x\n$ORIGIN org.\nc.example 5 CNAME x',
    [
      'a.example.org. 5 CNAME x.example.org.',
      'b.sub.example.org. 5 CNAME x.sub.example.org.',
      'deep.sub.example.org. 5 TXT "x"',
      'c.example.org. 5 CNAME x.org.',
    ],
  ],
  [
    'the owner of before the $ORIGIN',
    'a 5 TXT x\n$ORIGIN sub\n 5 TXT y\na 5 TXT z',
    ['a.example.org. 5 TXT "x"', 'a.example.org. 5 TXT "y"', 'a.sub.example.org. 5 TXT "z"'],
  ],
  [
    'parentheses over lines, with comments',
    '@ 5 SOA ns1 host ( ; the timers\n 1 ; serial\n1h\t\n15m 2w ) 5m ; minimum\na 5 A 192.0.2.1',
    ['example.org. 5 SOA ns1.example.org. host.example.org. 1 3600 900 1209600 300', 'a.example.org. 5 A 192.0.2.1'],
  ],
  [
    'parentheses anywhere',
    '(a\n)5 IN(A)192.0.2.1\n ( 5\n TXT x)(y)\n()\nb(\n) 5 A 192.0.2.2',
    ['a.example.org. 5 A 192.0.2.1', 'a.example.org. 5 TXT "x" "y"', 'b.example.org. 5 A 192.0.2.2'],
  ],
  [
    'quoted text',
    'a 5 TXT "one two" three "" "a;b(c)d" "tab\there"',
    ['a.example.org. 5 TXT "one two" "three" "" "a;b(c)d" "tab\\009here"'],
  ],
  ['strings that touch', 'a 5 TXT "a""b"c', ['a.example.org. 5 TXT "a" "b" "c"']],
  [
    'escaped text',
    'a 5 TXT "say \\"hi\\" \\\\ \\; \\065" un\\"quoted\\ text\\;\\(',
    ['a.example.org. 5 TXT "say \\"hi\\" \\\\ ; A" "un\\"quoted text;("'],
  ],
  [
    'directives inside text',
    'a 5 TXT "$INCLUDE /etc/passwd" $ORIGIN\nb 5 TXT "\\010$TTL 5"',
    ['a.example.org. 5 TXT "$INCLUDE /etc/passwd" "$ORIGIN"', 'b.example.org. 5 TXT "\\010$TTL 5"'],
  ],
  ['UTF-8 in text', 'a 5 TXT "café" ü', ['a.example.org. 5 TXT "caf\\195\\169" "\\195\\188"']],
  [
    'parameters in quotes',
    'a 5 HTTPS 1 . alpn="h2,h3" port=443',
    ['a.example.org. 5 HTTPS 1 . alpn="h2,h3" port="443"'],
  ],
  [
    'CR LF',
    'a 5 A 192.0.2.1\r\n 5 TXT ( "x" ; y\r\n )\r\n\r\nb 5 TXT x\r\r\n',
    ['a.example.org. 5 A 192.0.2.1', 'a.example.org. 5 TXT "x"', 'b.example.org. 5 TXT "x"'],
  ],
  ['a byte order mark', '\ufeffa 5 A 192.0.2.1', ['a.example.org. 5 A 192.0.2.1']],
  ['control characters in comments', 'a 5 A 192.0.2.1 ; \0\x01 \x7f "(', ['a.example.org. 5 A 192.0.2.1']],
];

describe('the master-file reader', () => {
  it.each(STYLES)('reads %s', (_, file, records) => {
    expect(linesOf(file)).toEqual(records);
  });

  it('accepts raw octets in text unchanged, UTF-8 or not', () => {
    const file = Buffer.concat([Buffer.from('a 5 TXT "caf'), Buffer.of(0xe9, 0x5c, 0xff), Buffer.from('" \\195\n')]);
    expect(linesOf(file)).toEqual(['a.example.org. 5 TXT "caf\\233\\255" "\\195"']);
  });

  it('keeps the case of names', () => {
    expect(linesOf('WwW 5 CNAME Host.Example.ORG.')).toEqual(['WwW.example.org. 5 CNAME Host.Example.ORG.']);
  });

  it('reports the start of a record', () => {
    const { records } = readAll('\ufeffa 5 A 192.0.2.1\n\n  5 TXT (\n"é" )\nb 5 TXT "é"\n   (\n\n 5 ) A 192.0.2.1\n');
    expect(records.map(({ line, column }) => [line, column])).toEqual([
      [1, 1],
      [3, 3],
      [5, 1],
      [8, 2],
    ]);
  });

  it('recognizes SOA for any supported types, and prefers the service types', () => {
    const mine = recordType({ name: 'SOA', code: 6, rfc: 'mine', fields: {}, example: { name: '.', data: '' } });
    const file = '@ 5 SOA ns1 host 1 2 3 4 5';
    expect(linesOf(file, { types: new RecordTypes([]) })).toHaveLength(1);
    expect(errorsOf(file, { types: new RecordTypes([mine]) })).toHaveLength(1);
  });

  it('passes signatures to a sink that accepts them', () => {
    const { records, signatures } = readSigned('a 5 A 192.0.2.1\n 5 rrsig A 13 2 5 x\n 5 NSEC b A\n 5 TXT x');
    expect(records).toBe(2);
    expect(signatures).toEqual([
      { line: 2, column: 2, type: 'RRSIG' },
      { line: 3, column: 2, type: 'NSEC' },
    ]);
  });

  it('reads a zone below the root of the file', () => {
    const origin = DomainName.parse('sub.example.org.');
    expect(linesOf('$ORIGIN example.org.\nsub 5 TXT x', { origin })).toEqual(['sub.example.org. 5 TXT "x"']);
  });
});

type Mistake = readonly [file: string, ...errors: string[]];

const MISTAKES: Readonly<Record<string, readonly Mistake[]>> = {
  names: [
    ['a..b 5 A 192.0.2.1', '1:1 "a..b" has an empty label: write one dot between labels and none before the first'],
    ['"a" 5 A 192.0.2.1', '1:1 the name "a" stands in quotes: leave them out'],
    ['a 5 TXT x\n"a" 5 TXT x', '2:1 the name "a" stands in quotes: leave them out'],
    ['a 5 TXT x\n$ORIGIN b\n"" 5 TXT x', '3:1 the name "" stands in quotes: leave them out'],
    [
      'a.example.com. 5 A 192.0.2.1',
      '1:1 "a.example.com." lies outside the zone example.org.: leave the record out, or correct its name',
    ],
    [
      'badexample.org. 5 A 192.0.2.1\n 5 A 192.0.2.2',
      ...['1:1', '2:2'].map(
        (at) => `${at} "badexample.org." lies outside the zone example.org.: leave the record out, or correct its name`,
      ),
    ],
    [
      '$ORIGIN com.\na 5 TXT x',
      '2:1 "a.com." lies outside the zone example.org.: leave the record out, or correct its name',
    ],
    [' 5 A 192.0.2.1', '1:2 no line above has an owner name to reuse: begin this one with a name'],
    [
      'a 5 TXT x\na..b 5 TXT x\n 5 TXT y',
      '2:1 "a..b" has an empty label: write one dot between labels and none before the first',
      '3:2 no line above has an owner name to reuse: begin this one with a name',
    ],
    ['bücher 5 A 192.0.2.1', '1:1 "bücher" is not ASCII: write "xn--bcher-kva"'],
    ['a 5 CNAME bücher', '1:11 CNAME: "bücher" is not ASCII: write "xn--bcher-kva"'],
  ],
  headers: [
    ['a', '1:1 the record ends before its type: write TYPE and data'],
    ['a 5 IN', '1:5 the record ends before its type: write TYPE and data'],
    ['a 5 "A" 192.0.2.1', '1:5 a type is expected here, not a text in quotes: leave them out'],
    ['a 5 6 A 192.0.2.1', '1:5 "6" is not a record type: write one like A, or TYPE and its number'],
    ['a IN IN A 192.0.2.1', '1:6 "IN" is not a record type: write one like A, or TYPE and its number'],
    ['a 5 CH A 192.0.2.1', '1:5 class CH is not served: leave the record out, or write IN'],
    ['a hs 5 A 192.0.2.1', '1:3 class HS is not served: leave the record out, or write IN'],
    ['a 5 CLASS3 A 192.0.2.1', '1:5 class CLASS3 is not served: leave the record out, or write IN'],
    [
      'a 2147483648 A 192.0.2.1',
      '1:3 "2147483648" is not a TTL: write seconds from 0 to 2147483647, or a time like 1h30m',
    ],
    ['a 1h30 A 192.0.2.1', '1:3 "1h30" is not a TTL: write seconds from 0 to 2147483647, or a time like 1h30m'],
    [
      'a 99999999999999999999 A 192.0.2.1',
      '1:3 "99999999999999999999" is not a TTL: write seconds from 0 to 2147483647, or a time like 1h30m',
    ],
    ['a 5 FOO x', '1:5 "FOO" is not a record type: write one like A, or TYPE and its number'],
    ['a 5 TYPE65536 \\# 0', '1:5 "TYPE65536" is not a record type: write one like A, or TYPE and its number'],
    ['  $TTL 5', '1:3 no line above has an owner name to reuse: begin this one with a name'],
    ['a 5 TXT x\n  $TTL 5', '2:3 "$TTL" is a directive only without a blank before it: take the blank out'],
  ],
  data: [
    ['a 5 A', '1:5 A: the address is missing: add it'],
    [
      'a 5 A 192.0.2.256',
      '1:7 A: the address "192.0.2.256" is not an IPv4 address: write one like 192.0.2.1, without leading zeros',
    ],
    ['a 5 A 192.0.2.1 192.0.2.2', '1:7 A: "192.0.2.2" is one item too many: leave it out'],
    [
      'a 5 MX ( ; in the next line\n\t10\n\tb..c )',
      '2:2 MX: "b..c" has an empty label: write one dot between labels and none before the first',
    ],
    ['a 5 TXT x\\', '1:10 the backslash escapes nothing: write \\\\ for itself'],
    [
      'a 5 TXT "\\300"',
      '1:9 TXT: "\\300" has a bad escape: write \\DDD with three digits up to 255, or \\ and one character',
    ],
    [
      'a 5 TXT foo"bar"',
      '1:12 a quote begins inside an item: write a blank before it, or \\" where it belongs to the item',
    ],
    ['a 5 A \\# 3 c00002', '1:7 A: the octets end too early'],
  ],
  form: [
    ['a 5 TXT x)\nb 5 TXT y', '1:10 this parenthesis closes nothing: leave it out, or escape it where it is meant'],
    [
      'a 5 TXT "x\nb 5 A 192.0.2.256',
      '1:9 the quote that opens here is not closed in its line: close it, and write \\010 for a line end inside',
      '2:7 A: the address "192.0.2.256" is not an IPv4 address: write one like 192.0.2.1, without leading zeros',
    ],
    [
      'a 5 TXT "x',
      '1:9 the quote that opens here is not closed in its line: close it, and write \\010 for a line end inside',
    ],
    ['a 5 TXT "x\\\nb 5 TXT y', '1:11 the backslash escapes nothing: write \\\\ for itself'],
    ['a 5 TXT "x\\', '1:11 the backslash escapes nothing: write \\\\ for itself'],
    [
      'a 5 TXT ( x\n  y\n',
      '1:9 the parenthesis that opens here is not closed up to the end of the file: close it where its record ends',
    ],
    [
      'é 5 TXT "é" ( x',
      '1:13 the parenthesis that opens here is not closed up to the end of the file: close it where its record ends',
    ],
    [
      'a 5 TXT ( x ( y ) z )\nb 5 A 1',
      '1:9 the parenthesis that opens here is not closed before the next one is opened: close it where its record ends',
      '2:7 A: the address "1" is not an IPv4 address: write one like 192.0.2.1, without leading zeros',
    ],
    ['a 5 TXT x\rb 5 TXT y', '1:10 a carriage return stands alone here: end lines with LF or CR LF'],
    ['; comment\rb 5 TXT y', '1:10 a carriage return stands alone here: end lines with LF or CR LF'],
    ['a 5 TXT "x\0y" \x01', '1:11 a control character stands here: leave it out, or write \\DDD for it in a text'],
    ['a 5 TXT x\x7f', '1:10 a control character stands here: leave it out, or write \\DDD for it in a text'],
    ['a 5 TXT x\\\x01', '1:10 the backslash escapes nothing: write \\\\ for itself'],
  ],
  directives: [
    ['$INCLUDE /etc/passwd', '1:1 $INCLUDE is not followed: put the content of that file in its place'],
    ['$include other.zone sub', '1:1 $INCLUDE is not followed: put the content of that file in its place'],
    ['$DATE 5', '1:1 "$DATE" is not a known directive: use $ORIGIN, $TTL or $GENERATE'],
    ['$ORIGIN', '1:1 $ORIGIN takes one value: write it like $ORIGIN example.org. or $TTL 1h'],
    ['$ORIGIN a b', '1:11 $ORIGIN takes one value: write it like $ORIGIN example.org. or $TTL 1h'],
    ['$ORIGIN a..b', '1:9 "a..b" has an empty label: write one dot between labels and none before the first'],
    ['$TTL', '1:1 $TTL takes one value: write it like $ORIGIN example.org. or $TTL 1h'],
    ['$TTL "5"', '1:1 $TTL takes one value: write it like $ORIGIN example.org. or $TTL 1h'],
    ['$TTL x', '1:6 "x" is not a TTL: write seconds from 0 to 2147483647, or a time like 1h30m'],
  ],
};

describe.each(Object.entries(MISTAKES))('errors in %s', (_, mistakes) => {
  it.each(mistakes)('%j', (file, ...errors) => {
    expect(errorsOf(file)).toEqual(errors);
  });
});

describe('the master-file reader after an error', () => {
  it('continues with the next entry', () => {
    const { records, errors } = readAll('a 5 A x\nb 5 A 192.0.2.1\n$TTL x\nc 5 FOO\nd 5 A 192.0.2.2\n 5 A y');
    expect(records).toHaveLength(2);
    expect(errors.map(({ line }) => line)).toEqual([1, 3, 4, 6]);
  });

  it('skips the possible extent of an unclosed parenthesis, and no more', () => {
    const soa = '@ 5 SOA ns1 host (\n  1 ; serial\n\n; refresh\n  3600 600\n';
    const { records, errors } = readAll(`${soa}a 5 A 192.0.2.1\nb 5 A x\nc 5 TXT ( y )\n`);
    expect(errors.map(({ line, column }) => [line, column])).toEqual([
      [1, 18],
      [7, 7],
    ]);
    expect(records.map(({ line }) => line)).toEqual([6, 8]);
  });

  it('names the supported types', () => {
    expect(errorsOf('a 5 LOC x', { types: new RecordTypes([A]) })).toEqual([
      '1:5 LOC records are not taken here: leave them out (taken are A)',
    ]);
    expect(errorsOf('a 5 TYPE65280 \\# 0', { types: new RecordTypes([A]) })).toEqual([
      '1:5 TYPE65280 records are not taken here: leave them out (taken are A)',
    ]);
  });

  it('refuses a signed zone once', () => {
    const rrsig = '\n 5 RRSIG A 13 2 5 x'.repeat(2000);
    expect(errorsOf(`a 5 A 192.0.2.1${rrsig}\n 5 DNSKEY x\nb 5 A x`)).toEqual([
      '2:4 the zone is signed, this is its first RRSIG: import it without RRSIG, NSEC, NSEC3, NSEC3PARAM and DNSKEY',
      '2003:7 A: the address "x" is not an IPv4 address: write one like 192.0.2.1, without leading zeros',
    ]);
  });

  it('gives up after a thousand', () => {
    const { records, errors } = readAll(`${'a 5 A x\n'.repeat(5000)}a 5 A 192.0.2.1\n`);
    expect(errors).toHaveLength(1000);
    expect(records).toEqual([]);
  });

  it('refuses UTF-16 in one line', () => {
    const file = Buffer.from(`\ufeff${'a 5 A 192.0.2.1\n'.repeat(10)}`, 'utf16le');
    expect(errorsOf(file)).toEqual(['1:1 the file is written in UTF-16: save it as UTF-8 or plain ASCII']);
  });

  it('propagates errors of a sink', () => {
    const failing = new MasterFileReader(
      { origin: EXAMPLE_ORG, types: ALL_TYPES },
      {
        record: () => {
          throw new RangeError('full');
        },
        error: () => undefined,
      },
    );
    failing.push(Buffer.from('a 5 A 192.0.2.1'));
    expect(() => failing.end()).toThrow(new RangeError('full'));
  });
});
