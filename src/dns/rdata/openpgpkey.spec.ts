import { describeType } from '../../testing/describe-type.js';
import { OPENPGPKEY } from './openpgpkey.js';

describeType(OPENPGPKEY, {
  accepts: ['AAAA', 'mQINBFit2jsBEADr', 'AA=='],
  refuses: ['', '!!!!', 'A', 'AAA', 'AB==', 'AAAA=AAAA', 'AA==AA==', '-_-_', '"AAAA"'],
  writes: [['mQEN BFit', 'mQENBFit']],
  refusesOctets: [''],
});
