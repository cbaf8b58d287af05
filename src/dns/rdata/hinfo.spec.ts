import { describeType } from '../../testing/describe-type.js';
import { HINFO } from './hinfo.js';

describeType(HINFO, {
  accepts: ['"Generic PC clone" "NetBSD-1.4"', '"" ""', `"${'x'.repeat(255)}" "x"`],
  refuses: ['', 'PC', '"a', '"a" "b" "c"', `"${'x'.repeat(256)}" "x"`, String.raw`"a" "\256"`, 'a;b c', 'a"b" c'],
  writes: [['PC NT', '"PC" "NT"']],
  refusesOctets: ['', '0161', '016105', '01610161ff'],
});
