import { describeType } from '../../testing/describe-type.js';
import { SMIMEA, SSHFP, TLSA } from './digest-types.js';

describeType(TLSA, {
  accepts: [`3 1 1 ${'ab'.repeat(32)}`, `2 0 2 ${'ab'.repeat(64)}`, '3 0 0 30820122', '255 255 255 ab'],
  refuses: [
    '',
    '3 1 1',
    `3 1 1 ${'ab'.repeat(31)}`,
    `3 1 2 ${'ab'.repeat(32)}`,
    `4 1 1 ${'ab'.repeat(32)}`,
    `3 2 1 ${'ab'.repeat(32)}`,
    '3 1 3 ab',
    '3 1 0 abc',
    '3 1 0 xy',
    '3 1 0 ""',
    `-3 1 1 ${'ab'.repeat(32)}`,
  ],
  writes: [[`3 1 1 ${'AB'.repeat(16)} ${'cd'.repeat(16)}`, `3 1 1 ${'ab'.repeat(16)}${'cd'.repeat(16)}`]],
  refusesOctets: ['030100', '0301', '04010001'],
});

describeType(SMIMEA, {
  accepts: [`3 1 1 ${'ab'.repeat(32)}`, '3 0 0 30820122'],
  refuses: ['', `3 1 1 ${'ab'.repeat(31)}`, `256 1 1 ${'ab'.repeat(32)}`, '3 1 1 xyz'],
  writes: [[`0 0 1 ${'AB'.repeat(32)}`, `0 0 1 ${'ab'.repeat(32)}`]],
  refusesOctets: ['030100'],
});

describeType(SSHFP, {
  accepts: [`1 1 ${'ab'.repeat(20)}`, `4 2 ${'ab'.repeat(32)}`, `6 1 ${'00'.repeat(20)}`],
  refuses: [
    `5 2 ${'ab'.repeat(32)}`,
    `0 1 ${'ab'.repeat(20)}`,
    `1 3 ${'ab'.repeat(32)}`,
    `1 1 ${'ab'.repeat(32)}`,
    `1 2 ${'ab'.repeat(20)}`,
    `1 1 ${'ab'.repeat(19)}a`,
    `1 1 ${'ab'.repeat(10)} ${'ab'.repeat(10)}`,
    `01 1 ${'ab'.repeat(20)}`,
    `1 1 0x${'ab'.repeat(19)}`,
    `1 1 ${'ag'.repeat(20)}`,
    '1 1',
    '',
  ],
  writes: [[`1 1 ${'AB'.repeat(20)}`, `1 1 ${'ab'.repeat(20)}`]],
  loads: [[`1 1 ${'AB'.repeat(10)} ${'cd'.repeat(10)}`, `1 1 ${'ab'.repeat(10)}${'cd'.repeat(10)}`]],
  refusesOctets: ['0101ab', '0101', ''],
});
