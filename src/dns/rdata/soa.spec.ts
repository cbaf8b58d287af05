import { describeType } from '../../testing/describe-type.js';
import { SOA } from './soa.js';

describeType(SOA, {
  accepts: [
    'ns1.example.org. hostmaster.example.org. 1 3600 600 86400 300',
    String.raw`ns1.example.org. first\.last.example.org. 4294967295 0 0 0 4294967295`,
  ],
  refuses: [
    '',
    'ns1.example.org. hostmaster.example.org. 1 3600 600 86400',
    'ns1.example.org. hostmaster.example.org. 4294967296 3600 600 86400 300',
    'ns1.example.org. hostmaster.example.org. 1 1h 600 86400 300',
    'ns1 hostmaster.example.org. 1 3600 600 86400 300',
  ],
  loads: [
    ['ns1 hostmaster 1 1h 10M 1d12h 5m', 'ns1.example.org. hostmaster.example.org. 1 3600 600 129600 300'],
    ['@ @ 01 1W 2 3 4', 'example.org. example.org. 1 604800 2 3 4'],
  ],
  refusesOctets: ['0000', `0000${'00'.repeat(21)}`],
});
