import { describeType } from '../../testing/describe-type.js';
import { CAA } from './caa.js';

describeType(CAA, {
  accepts: ['0 issue "ca.example.org"', '128 iodef "mailto:a@example.org"', '0 issue ""', '1 unknown2 "a\\"b;c"'],
  refuses: [
    '',
    '0 issue',
    '0 issue ;',
    '0 issue ca.example.org; policy=ev',
    '0 is-sue "ca"',
    '0 "issue" "ca"',
    '256 issue "ca"',
    '0 issue "a" "b"',
    '0 issue "a',
    `0 ${'a'.repeat(16)} "ca"`,
    ['0 issue "ca"', 0],
    '0 issue "“ca.example.org”"',
    '0 issuewild "é"',
    '0 iodef "mailto:é@example.org"',
    '0 issue "\\000"',
  ],
  writes: [
    ['0 ISSUE ca.example.org', '0 issue "ca.example.org"'],
    ['0 unknown "é"', String.raw`0 unknown "\195\169"`],
  ],
  loads: [['00 Issue ca.example.org', '0 issue "ca.example.org"']],
  refusesOctets: ['0005697373756580', '00', '0000', '00056973', '0001496361', '00012d6361'],
});
