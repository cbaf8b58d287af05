import { describeType } from '../../testing/describe-type.js';
import { CDS } from './cds.js';

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
