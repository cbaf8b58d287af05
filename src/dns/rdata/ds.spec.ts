import { describeType } from '../../testing/describe-type.js';
import { DS } from './ds.js';

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
