import { describeType } from '../../testing/describe-type.js';
import { DNAME } from './dname.js';

describeType(DNAME, {
  accepts: ['new.example.org.', '.', String.raw`a\.b.example.org.`],
  refuses: ['', 'new', 'a..b.', 'a b.', '*.example.org.', String.raw`a.\256.`, 'a. b.'],
  loads: [['new', 'new.example.org.']],
  refusesOctets: ['', '0161'],
});
