import { describeType } from '../../testing/describe-type.js';
import { SRV } from './srv.js';

describeType(SRV, {
  accepts: [
    ['5 5060 sip.example.org.', 10],
    ['0 0 .', 0],
    ['65535 65535 SIP.example.org.', 65535],
  ],
  refuses: [
    ['5060 sip.example.org.', 10],
    ['5 5060', 10],
    ['10 5 5060 sip.example.org.', 10],
    ['5  5060 sip.example.org.', 10],
    ['5\t5060 sip.example.org.', 10],
    ['05 5060 sip.example.org.', 10],
    ['+5 5060 sip.example.org.', 10],
    ['65536 5060 sip.example.org.', 10],
    ['5 65536 sip.example.org.', 10],
    ['5 5060 sip.example.org', 10],
    ['5 5060 *.example.org.', 10],
    ['"5" 5060 sip.example.org.', 10],
    ['5 5060 sip.example.org.\n', 10],
    ['5 5060 sip.example.org.', null],
  ],
  loads: [
    ['10 5 5060 sip', '5 5060 sip.example.org.'],
    ['10 005 05060 sip.example.net.', '5 5060 sip.example.net.'],
  ],
  refusesOctets: ['000a00051388', '000a0005138800ff'],
});
