import { describeType } from '../../testing/describe-type.js';
import { TLSA } from './tlsa.js';

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
