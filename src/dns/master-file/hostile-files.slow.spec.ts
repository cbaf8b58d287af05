import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { lineOf, readAll, readPieces, type Reading } from '../../../test/support/master-file.js';

const MIB = 2 ** 20;
/** The reader's chunk size: the only positions where input is split. */
const BLOCK = 2 ** 16;

const FILE = `$TTL 1h ; comment (
@ IN SOA ns1 host.example.org. ( 1 ; serial
    1h 15m\t2w 5m ) ; "
  NS ns.example.net.\r
a\\.b 5 TXT "quoted \\" ; (" un\\"quoted "é\\009" \\\\
_s._tcp HTTPS 1 . alpn="h2,h3" port=443
bad 5 A 192.0.2.1.1
bad 5 TXT "open
\tTXT ( nested ( paren
  more )
$ORIGIN sub
x TXT ${'y'.repeat(40)}
  MX 10 @
$GENERATE 1-2 h$ A 192.0.2.$
é 5 TXT lone\rreturn
z A 192.0.2.1 ; the parenthesis of the next line stays open
z TXT ( "end"`;

describe('the master-file reader, wherever a file is cut', () => {
  const octets = Buffer.from(FILE);
  const whole = summary(readAll(octets), 0);

  it('sees records and errors in it', () => {
    expect(whole.records).toHaveLength(9);
    expect(whole.errors).toHaveLength(5);
  });

  it('reads the same from pieces of any size', () => {
    const cuts = fc
      .uniqueArray(fc.nat(octets.length), { maxLength: 20 })
      .map((list) => [0, ...list.sort((a, b) => a - b)]);
    fc.assert(
      fc.property(cuts, (starts) => {
        const pieces = starts.map((start, at) => octets.subarray(start, starts[at + 1]));
        expect(summary(readPieces(pieces), 0)).toEqual(whole);
      }),
    );
  });

  it('reads the same when a block of the reader ends at any octet of it', () => {
    for (let cut = 0; cut <= octets.length; cut++) {
      const before = Buffer.from(`;${'x'.repeat(BLOCK - cut - 2)}\n`);
      expect(summary(readPieces([before, octets]), 1)).toEqual(whole);
    }
  });

  it('reads the same one octet at a time', () => {
    const before = Buffer.from(`;${'x'.repeat(BLOCK - 300)}\n`);
    const pieces = [...before, ...octets].map((octet) => Uint8Array.of(octet));
    expect(summary(readPieces(pieces), 1)).toEqual(whole);
  });

  it('reads entries of many blocks', () => {
    const text = `a 5 TXT (\n${'"0123456789abcdef" ; comment ( \n'.repeat(3000)})\nb 5 TXT x\n`;
    const { records, errors } = readPieces(piecesOf(Buffer.from(text), 1000));
    expect(errors).toEqual([]);
    expect(records.map(({ rdata, line }) => [rdata.length, line])).toEqual([
      [3000 * 17, 1],
      [2, 3003],
    ]);
  });
});

describe('the master-file reader and hostile files', () => {
  it('buffers at most the entry limit of an endless line', () => {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const { records, errors } = readPieces(
      (function* () {
        yield 'a 5 TXT x\nb 5 TXT ';
        for (let at = 0; at < 160; at++) {
          yield Buffer.alloc(BLOCK, 'long');
          most = Math.max(most, process.memoryUsage().arrayBuffers);
        }
        yield '\nc 5 TXT z\n';
      })(),
    );
    expect(records.map(({ line }) => line)).toEqual([1, 3]);
    expect(errors).toEqual([
      { line: 2, column: 1, message: 'this entry is longer than 1048576 octets: end its line earlier' },
    ]);
    expect(most - before).toBeLessThan(32 * MIB);
  });

  it.each<[title: string, file: Buffer]>([
    ['one line of 10 MB', Buffer.alloc(10 * MIB, 'a')],
    ['10 MB of items in one line', Buffer.alloc(10 * MIB, 'a ')],
    ['10 MB of strings in one line', Buffer.alloc(10 * MIB, '""')],
    ['10 MB of line ends', Buffer.alloc(10 * MIB, '\n')],
    ['10 MB of carriage returns', Buffer.alloc(10 * MIB, '\r')],
    ['10 MB of blanks', Buffer.alloc(10 * MIB, ' ')],
    ['10 MB of NUL', Buffer.alloc(10 * MIB)],
    ['10 MB of backslashes', Buffer.alloc(10 * MIB, '\\')],
    ['10 MB in an open parenthesis', Buffer.concat([Buffer.from('a 5 TXT ('), Buffer.alloc(10 * MIB, '\n ; x')])],
    ['10 MB of open parentheses', Buffer.alloc(10 * MIB, 'a 5 TXT (\n')],
    ['10 MB of open quotes', Buffer.alloc(10 * MIB, 'a 5 TXT "\n')],
    ['a record of 1 MB', Buffer.concat([Buffer.from('a 5 TXT '), Buffer.alloc(MIB - 100, 'a ')])],
    [
      'a text of 1 MB of raw octets',
      Buffer.concat([Buffer.from('a 5 TXT "'), Buffer.alloc(MIB - 100, 0xff), Buffer.from('"')]),
    ],
  ])('reads %s in linear time', (_, file) => {
    const started = process.cpuUsage();
    const { errors } = readPieces(piecesOf(file, BLOCK));
    expect(millisecondsSince(started)).toBeLessThan(3000);
    expect(errors.length).toBeLessThanOrEqual(1000);
  });

  it('reads a long entry arriving one octet at a time in linear time', () => {
    const started = process.cpuUsage();
    const octet = Buffer.from('a');
    const pieces = (function* () {
      for (let at = 0; at < 2 * MIB; at++) yield octet;
    })();
    expect(readPieces(pieces).errors).toHaveLength(1);
    expect(millisecondsSince(started)).toBeLessThan(5000);
  });

  it('counts the octets of an entry with its line ends', () => {
    const entry = 'a 5 TXT (\nx )\n';
    expect(readAll(entry.repeat(3), { maxEntryOctets: entry.length }).errors).toEqual([]);
    expect(readAll(entry.trimEnd(), { maxEntryOctets: entry.length - 1 }).errors).toEqual([]);
    const { errors } = readAll(entry, { maxEntryOctets: entry.length - 1 });
    expect(errors).toEqual([
      { line: 1, column: 1, message: 'this entry is longer than 13 octets: end its line earlier' },
    ]);
  });

  it('looks for the end of a parenthesis no further than that', () => {
    const { records, errors } = readAll('a 5 TXT (\n  x\n  y\nb 5 TXT z\n', { maxEntryOctets: 16 });
    const message = 'the parenthesis that opens here is not closed within 16 octets: close it where its record ends';
    expect(errors).toEqual([{ line: 1, column: 9, message }]);
    expect(records.map(({ line }) => line)).toEqual([4]);
  });

  it('never throws for any octets', () => {
    const octets = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''), 'latin1')),
    );
    fc.assert(
      fc.property(octets, (file) => {
        const { records, errors } = readAll(file, { maxEntryOctets: 100, maxGenerated: 20 });
        for (const { line, column } of [...records, ...errors]) expect(line > 0 && column > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

/** CPU time of this process, independent of the machine's load. */
function millisecondsSince(started: NodeJS.CpuUsage): number {
  return process.cpuUsage(started).user / 1000;
}

/** Pieces that files are made of, right and wrong. */
const FRAGMENTS = [
  ...[
    'a',
    '@',
    '.',
    'b..c',
    'x.example.org.',
    '$ORIGIN',
    '$TTL',
    '$GENERATE',
    '$INCLUDE',
    '$x',
    '1-3',
    '1-9/2',
    '${0,1,n}',
    '$',
  ],
  ...[
    '5',
    '1h',
    'IN',
    'CH',
    'A',
    'TXT',
    'MX',
    'SOA',
    'HTTPS',
    'RRSIG',
    'TYPE7',
    '192.0.2.1',
    '10',
    '\\#',
    '1 ff',
    'alpn="h2"',
  ],
  ...[' ', ' ', ' ', '\t', '\n', '\n', '\r\n', '\r', '(', ')', '"', '\\', ';', '=', '\x00', '\x7f', '\xc3\xa9', '\xff'],
];

function piecesOf(file: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(file.length / size) }, (_, at) => file.subarray(at * size, (at + 1) * size));
}

/** The result, with line numbers relative to the preceding lines. */
function summary({ records, errors }: Reading, linesBefore: number) {
  return {
    records: records.map((record) => `${record.line - linesBefore}:${record.column} ${lineOf(record)}`),
    errors: errors.map(({ line, column, message }) => `${line - linesBefore}:${column} ${message}`),
  };
}
