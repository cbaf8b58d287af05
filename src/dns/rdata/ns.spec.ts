import { describeType } from '../../testing/describe-type.js';
import { NS } from './ns.js';

describeType(NS, {
  accepts: ['ns1.example.org.', 'NS1.example.org.', '_ns.example.org.'],
  refuses: [
    '.',
    'ns1',
    'ns1.example.org',
    '*.example.org.',
    '-ns.example.org.',
    '192.0.2.1',
    'ns1.example.org. x.',
    '',
  ],
  loads: [['ns1', 'ns1.example.org.']],
  refusesOctets: ['00', '012a00'],
});
