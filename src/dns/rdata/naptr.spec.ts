import { describeType } from '../../testing/describe-type.js';
import { NAPTR } from './naptr.js';

describeType(NAPTR, {
  accepts: [
    '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.',
    '0 0 "" "" "" .',
    '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.org!" .',
    '100 10 "U" "x" "!^.*$!sip:info@example.org!" example.org.',
  ],
  refuses: [
    '',
    '100 10 "U" "x" .',
    '100 10 "U "x" "" .',
    '100 10 "U!" "x" "" .',
    '100 10 "U" "x" "^.*$" .',
    '65536 10 "U" "x" "" .',
    '100 10 "U" "x" "" example',
    `100 10 "U" "${'x'.repeat(256)}" "" .`,
  ],
  writes: [['100 10 u e2u+sip "" .', '100 10 "u" "e2u+sip" "" .']],
  loads: [['100 10 S SIP+D2U "" _sip._udp', '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.']],
  refusesOctets: ['0064000a', '0064000a01530000', '0064000a000002212100'],
});
