import { describeType } from '../../testing/describe-type.js';
import { EUI64 } from './eui64.js';

describeType(EUI64, {
  accepts: ['00-00-00-00-00-00-00-00', 'ff-ff-ff-ff-ff-ff-ff-ff', '00-00-5E-EF-10-00-00-2A'],
  refuses: [
    '',
    '00-00-5e-ef-10-00-00',
    '00-00-5e-00-53-2a',
    '00:00:5e:ef:10:00:00:2a',
    '00005eef1000002a',
    '00-00-5e-ef-10-00-00-2g',
    '"00-00-5e-ef-10-00-00-2a"',
    ['00-00-5e-ef-10-00-00-2a', 10],
  ],
  writes: [['00-00-5E-EF-10-00-00-2A', '00-00-5e-ef-10-00-00-2a']],
  loads: [[String.raw`\# 8 00005eef1000002a`, '00-00-5e-ef-10-00-00-2a']],
  refusesOctets: ['', '00005eef100000', '00005eef1000002a00'],
});
