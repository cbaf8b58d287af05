import { describeType } from '../../testing/describe-type.js';
import { CERT } from './cert.js';

describeType(CERT, {
  accepts: ['1 0 0 AAAA', '65534 65535 255 AAAA'],
  refuses: ['', '1 0 0', '0 0 0 AAAA', '65536 0 0 AAAA', '1 0 256 AAAA', 'BOGUS 0 0 AAAA', '1 0 0 !!!!', '1 0 0 A'],
  writes: [
    ['PGP 0 0 mQGi BDnY', '3 0 0 mQGiBDnY'],
    ['PKIX 65534 RSASHA256 AAAA', '1 65534 8 AAAA'],
  ],
  refusesOctets: ['0001000000', '000000000000'],
});
