import { describeType } from '../../testing/describe-type.js';
import { SPF } from './spf.js';

describeType(SPF, {
  accepts: ['v=spf1 -all', '"v=spf1 mx " "-all"', 'a ; b', '(a'],
  refuses: ['', 'v=spf1 "-all"', '"v=spf1 -all', 'v=spf1 -all ', 'a\nb'],
  writes: [['v=spf1 -all', '"v=spf1 -all"']],
  loads: [['"v=spf1 -all"', '"v=spf1 -all"']],
  refusesOctets: ['', '0261'],
});
