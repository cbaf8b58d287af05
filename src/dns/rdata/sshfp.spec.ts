import { describeType } from '../../testing/describe-type.js';
import { SSHFP } from './sshfp.js';

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
