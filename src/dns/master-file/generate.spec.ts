import { describe, expect, it, jest } from '@jest/globals';

import { ALL_TYPES, errorsOf, EXAMPLE_ORG, lineOf, linesOf, readAll } from '../../../test/support/master-file.js';
import type { MasterFileRecord, MasterFileSink } from './master-file.js';
import { MasterFileReader } from './master-file-reader.js';

describe('$GENERATE', () => {
  it.each([
    ['a range', '$GENERATE 1-3 h$ A 192.0.2.$', ['h1 A 192.0.2.1', 'h2 A 192.0.2.2', 'h3 A 192.0.2.3']],
    ['a step', '$generate 0-7/3 h$ A 192.0.2.$', ['h0 A 192.0.2.0', 'h3 A 192.0.2.3', 'h6 A 192.0.2.6']],
    ['one number', '$GENERATE 5-5 h TXT $', ['h TXT "5"']],
    ['every base', '$GENERATE 10-10 ${0,3,d}-${0,3,o}-${0,3,x}-${0,3,X}-${1} TXT $', ['010-012-00a-00A-11 TXT "10"']],
    ['an offset', '$GENERATE 5-6 h${+5} A 192.0.2.${-5}', ['h10 A 192.0.2.0', 'h11 A 192.0.2.1']],
    ['a negative number', '$GENERATE 1-1 h TXT ${-2} ', ['h TXT "-1"']],
    ['a negative number with zeros', '$GENERATE 1-1 h TXT ${-2,4}', ['h TXT "-001"']],
    [
      'negative numbers in other bases, as 32 bits',
      '$GENERATE 1-1 a${-10,4,x}-${-10,4,o} TXT ${-10,4,n}',
      ['afffffff7-37777777767 TXT "7.f.f.f.f.f.f.f"'],
    ],
    ['nibbles', '$GENERATE 300-300 ${0,0,n} TXT ${0,7,N}', ['c.2.1 TXT "C.2.1.0"']],
    ['nibbles that end in a dot', '$GENERATE 17-17 ${0,4,n}x TXT ${0,6,n}', ['1.1.x TXT "1.1.0."']],
    ['dollar signs', '$GENERATE 1-1 a$$\\$b TXT $$\\$$', ['a\\$\\$b TXT "$$1"']],
    ['several items', '$GENERATE 1-2 h$ MX "10 m$"', ['h1 MX 10 m1.example.org.', 'h2 MX 10 m2.example.org.']],
    ['text in quotes', '$GENERATE 1-1 h TXT "\\"a $\\" b\\034"', ['h TXT "a 1" "b\\""']],
    ['UTF-8', '$GENERATE 1-1 h TXT "ü$"', ['h TXT "\\195\\1881"']],
    ['a class', '$GENERATE 1-1 h IN A 192.0.2.$', ['h A 192.0.2.1']],
    ['parentheses', '$GENERATE 1-1 ( h\n A ) 192.0.2.$', ['h A 192.0.2.1']],
  ])('makes records from %s', (_, line, records) => {
    const plain = linesOf(`$TTL 7\n${line}\n`).map((record) => record.replace(/^(\S+)\.example\.org\. 7 /, '$1 '));
    expect(plain.map((record) => record.replaceAll('\\036', '\\$'))).toEqual(records);
  });

  it('accepts an explicit TTL, and does not change the inherited owner and TTL', () => {
    expect(linesOf('a 5 TXT x\n$GENERATE 1-1 h$ IN 9 TXT y\n$GENERATE 1-1 i$ 8 TXT y\n TXT z')).toEqual([
      'a.example.org. 5 TXT "x"',
      'h1.example.org. 9 TXT "y"',
      'i1.example.org. 8 TXT "y"',
      'a.example.org. 5 TXT "z"',
    ]);
  });

  it('completes names with the origin', () => {
    expect(linesOf('$ORIGIN sub\n$GENERATE 1-1 @ 5 CNAME $')).toEqual(['sub.example.org. 5 CNAME 1.sub.example.org.']);
  });

  it('names the position of the directive', () => {
    const { records } = readAll('\n\n$GENERATE 1-2 h$ 5 TXT $\n');
    expect(records.map(({ line, column }) => [line, column])).toEqual([
      [3, 1],
      [3, 1],
    ]);
  });

  it('yields records lazily', () => {
    const sink = {
      record: jest.fn(),
      error: jest.fn(),
      generated: jest.fn<NonNullable<MasterFileSink['generated']>>(),
    };
    const reader = new MasterFileReader({ origin: EXAMPLE_ORG, types: ALL_TYPES }, sink);
    reader.push(
      Buffer.from('$ORIGIN sub\n$GENERATE 1-60000 h$ 5 TXT $\n$ORIGIN other\n\n$GENERATE 255-256 h A 192.0.2.$\n'),
    );
    reader.end();
    const [first, second] = sink.generated.mock.calls.map(([items]) => items);
    const [record] = first!;
    expect(record).toMatchObject({ line: 2, column: 1, ttl: 5 });
    expect(lineOf(record as MasterFileRecord)).toBe('h1.sub.example.org. 5 TXT "1"');
    const [, error, ...others] = second!;
    expect(error).toMatchObject({ line: 5, column: 23 });
    expect(others).toEqual([]);
    expect(sink.record).not.toHaveBeenCalled();
    expect(sink.error).not.toHaveBeenCalled();
  });

  const HELP = 'write $GENERATE start-stop name type data, with data of several items in quotes';
  const FORM_HELP = 'write ${offset,width,base}, the width up to 63, the base one of d o x X n N';

  it.each([
    ['$GENERATE', `1:1 ${HELP}`],
    ['$GENERATE 1-2', `1:1 ${HELP}`],
    ['$GENERATE 1-2 "h$" A 192.0.2.1', `1:1 ${HELP}`],
    ['$GENERATE 1-2 h$ A', `1:1 ${HELP}`],
    ['$GENERATE 1-2 h$ MX 10 m$', `1:24 ${HELP}`],
    ['$GENERATE 1-2 h$', '1:15 the record ends before its type: write TYPE and data'],
    ['$GENERATE 1-2 h$ FOO x', '1:18 "FOO" is not a record type: write one like A, or TYPE and its number'],
    ['$GENERATE 2-1 h$ A 192.0.2.1', '1:11 "2-1" is not a range: write it like 1-10 or 0-20/2, up to 2147483647'],
    ['$GENERATE 1-2/0 h$ A 192.0.2.1', '1:11 "1-2/0" is not a range: write it like 1-10 or 0-20/2, up to 2147483647'],
    [
      '$GENERATE 1-2147483648 h$ A x',
      '1:11 "1-2147483648" is not a range: write it like 1-10 or 0-20/2, up to 2147483647',
    ],
    ['$GENERATE x h$ A 192.0.2.1', '1:11 "x" is not a range: write it like 1-10 or 0-20/2, up to 2147483647'],
    ['$GENERATE 1-2 h${} A 192.0.2.1', `1:15 "\${}" is not a number format: ${FORM_HELP}`],
    ['$GENERATE 1-2 h${0,64} A 192.0.2.1', `1:15 "\${0,64}" is not a number format: ${FORM_HELP}`],
    ['$GENERATE 1-2 h${0,1,q} A 192.0.2.1', `1:15 "\${0,1,q}" is not a number format: ${FORM_HELP}`],
    ['$GENERATE 1-2 h${0 A 192.0.2.1', `1:15 "\${0" is not a number format: ${FORM_HELP}`],
    [
      '$GENERATE 1-2 h${-2147483649,1,x} A 192.0.2.1',
      '1:15 the number -2147483648 cannot be written here: choose another offset',
    ],
    [
      '$GENERATE 2147483647-2147483647 h${1} A x',
      '1:33 the number 2147483648 cannot be written here: choose another offset',
    ],
    [
      '$GENERATE 1-9 h$.. A 192.0.2.1',
      '1:15 "h1.." has an empty label: write one dot between labels and none before the first',
    ],
    [
      '$GENERATE 1-9 h$.com. A 192.0.2.1',
      '1:15 "h1.com." lies outside the zone example.org.: leave the record out, or correct its name',
    ],
    [
      '$GENERATE 255-999 h$ 5 A 192.0.2.$',
      '1:26 A: the address "192.0.2.256" is not an IPv4 address: write one like 192.0.2.1, without leading zeros',
    ],
    [
      '$GENERATE 1-2 h$ TXT "\\"$"',
      '1:22 the quote that opens here is not closed in its line: close it, and write \\010 for a line end inside',
    ],
    [
      '$GENERATE 1-1 h TXT ${0,63}${0,63}${0,63}${0,63}${0,63}',
      '1:21 this becomes longer than the 255 characters that $GENERATE may write: shorten it',
    ],
    [
      `$GENERATE 1-1 h TXT ${'$'.repeat(300)}`,
      '1:21 this becomes longer than the 255 characters that $GENERATE may write: shorten it',
    ],
    [
      '$GENERATE 1-1000000000 h$ A x',
      '1:11 $GENERATE would make 1000000000 records, and a file may generate 65536 at most: write a smaller range',
    ],
  ])('refuses %j', (line, error) => {
    expect(errorsOf(line)).toEqual([error]);
  });

  it('counts the output of all directives of a file', () => {
    const file = '$GENERATE 1-6 a$ 5 TXT $\n$GENERATE 1-6 b$ 5 TXT $\n$GENERATE 1-4 c$ 5 TXT $\n';
    const { records, errors } = readAll(file, { maxGenerated: 10 });
    expect(records).toHaveLength(10);
    expect(errors.map(({ line }) => line)).toEqual([2]);
  });
});
