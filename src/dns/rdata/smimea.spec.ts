import { describeType } from '../../testing/describe-type.js';
import { SMIMEA } from './smimea.js';

describeType(SMIMEA, {
  accepts: [`3 1 1 ${'ab'.repeat(32)}`, '3 0 0 30820122'],
  refuses: ['', `3 1 1 ${'ab'.repeat(31)}`, `256 1 1 ${'ab'.repeat(32)}`, '3 1 1 xyz'],
  writes: [[`0 0 1 ${'AB'.repeat(32)}`, `0 0 1 ${'ab'.repeat(32)}`]],
  refusesOctets: ['030100'],
});
