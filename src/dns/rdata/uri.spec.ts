import { describeType } from '../../testing/describe-type.js';
import { URI } from './uri.js';

describeType(URI, {
  accepts: [
    '10 1 "https://example.org/a;b?c=%20(d)"',
    '65535 0 "x"',
    `0 0 "${'x'.repeat(300)}"`,
    '10 1 "a b"',
    '10 1 "é"',
    String.raw`10 1 "\000\"\255"`,
  ],
  refuses: ['', '10 1', '10 "x"', '10 1 ""', '10 1 unquoted', '10 1 "a" "b"', '65536 1 "x"'],
  writes: [['10 1 "é b"', String.raw`10 1 "\195\169 b"`]],
  loads: [['10 1 ftp://ftp.example.org/public', '10 1 "ftp://ftp.example.org/public"']],
  refusesOctets: ['000a', '000a0001'],
});
