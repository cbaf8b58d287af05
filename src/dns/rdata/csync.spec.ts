import { describeType } from '../../testing/describe-type.js';
import { CSYNC } from './csync.js';

describeType(CSYNC, {
  accepts: [
    '66 3 A NS AAAA',
    '0 0 A',
    '4294967295 65535 NS',
    '1 2 TYPE65280',
    '1 0 CAA TYPE1234',
    '66 3',
    '66 3 HIP NID',
  ],
  refuses: [
    '',
    '66',
    '66 3 BOGUS',
    '66 3 a',
    '66 3 "A"',
    '66 3 TYPE0',
    '66 3 TYPE65535',
    '66 3 TYPE65536',
    '66 3 TYPE01',
    '66 3 OPT',
    '66 3 TYPE41',
    '66 3 TYPE255',
    '4294967296 3 A',
    '66 65536 A',
  ],
  writes: [
    ['66 3 AAAA NS A A', '66 3 A NS AAAA'],
    ['66 3 TYPE28 TYPE1', '66 3 A AAAA'],
    ['66 3 HIP WALLET', '66 3 TYPE55 TYPE262'],
    ['66 3 TYPE65280 CAA A', '66 3 A CAA TYPE65280'],
  ],
  refusesOctets: [
    '00000042000300',
    '0000004200030000',
    '000000420003000100',
    '00000042000300024000',
    '000000420003000180',
    '000000420003000140000120',
    '000000420003010140000140',
    `0000004200030021${'40'.repeat(33)}`,
  ],
});
