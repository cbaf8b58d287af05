import { describeType } from '../../testing/describe-type.js';
import { DS, CDS, CDNSKEY, CSYNC } from './dnssec.js';

describeType(DS, {
  accepts: [
    `0 13 4 ${'ab'.repeat(48)}`,
    `65535 15 2 ${'ab'.repeat(32)}`,
    `1 5 1 ${'ab'.repeat(20)}`,
    `1 99 2 ${'ab'.repeat(32)}`,
    `1 0 2 ${'ab'.repeat(32)}`,
    '12345 8 99 aabb',
    '12345 8 200 ab',
    '12345 8 255 ab',
    ...[3, 5, 6].map((digestType) => `12345 8 ${digestType} ${'ab'.repeat(32)}`),
  ],
  refuses: [
    '',
    '12345 8 2',
    `65536 8 2 ${'ab'.repeat(32)}`,
    `12345 8 2 ${'ab'.repeat(20)}`,
    `12345 8 2 ${'ab'.repeat(31)}a`,
    '12345 8 99',
    '12345 8 256 aabb',
    ...[3, 5, 6].map((digestType) => `12345 8 ${digestType} ${'ab'.repeat(31)}`),
    `12345 8 0 ${'ab'.repeat(32)}`,
    '0 0 0 00',
  ],
  writes: [
    [`12345 8 2 ${'AB'.repeat(16)} ${'cd'.repeat(16)}`, `12345 8 2 ${'ab'.repeat(16)}${'cd'.repeat(16)}`],
    [`12345 ECDSAP256SHA256 2 ${'ab'.repeat(32)}`, `12345 13 2 ${'ab'.repeat(32)}`],
  ],
  refusesOctets: ['30390802', '30390802ab', '303908', '303908c8', '3039080300'],
});

describeType(CDS, {
  accepts: [
    `60485 5 1 ${'ab'.repeat(20)}`,
    `1 15 2 ${'ab'.repeat(32)}`,
    '0 0 0 00',
    `1 8 5 ${'ab'.repeat(32)}`,
    '1 250 200 ab',
  ],
  refuses: [
    '',
    '0 0 0',
    '0 0 0 0000',
    '0 0 0 01',
    '1 0 0 00',
    '12345 8 2',
    '1 8 0 ab',
    `12345 8 2 ${'ab'.repeat(31)}`,
    `12345 8 6 ${'ab'.repeat(31)}`,
    `65536 8 2 ${'ab'.repeat(32)}`,
  ],
  refusesOctets: ['00000000', '000000000000', '30390802ab'],
});

const KEY_OF_32_OCTETS = 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=';

describeType(CDNSKEY, {
  accepts: [
    '257 3 8 AwEAAQ==',
    `257 3 15 ${KEY_OF_32_OCTETS}`,
    '0 3 8 AwEAAQ==',
    '0 3 0 AA==',
    '257 3 1 AwEAAQ==',
    '257 3 99 AwEAAQ==',
    '257 3 255 AA==',
  ],
  refuses: [
    '',
    '257 3 8',
    '257 2 8 AwEAAQ==',
    '257 256 8 AwEAAQ==',
    '257 3 8 !!!',
    '257 3 8 AwEAAQ',
    '257 3 8 AwEAAR==',
    '257 3 13 AwEAAQ==',
    `257 3 14 ${KEY_OF_32_OCTETS}`,
    '257 3 0 AA==',
    '63549 3 253 FT+D8Q==',
    '257 3 254 FT+D8Q==',
    '0 3 0 AAA=',
    '257 3 AwEAAQ==',
  ],
  writes: [['257 3 RSASHA256 AwEA AQ==', '257 3 8 AwEAAQ==']],
  refusesOctets: ['01010308', '01010208ff', '0000030001'],
});

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
