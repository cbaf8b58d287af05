import { describeType } from '../../testing/describe-type.js';
import { CERT, DHCID, OPENPGPKEY } from './base64-types.js';

describeType(OPENPGPKEY, {
  accepts: ['AAAA', 'mQINBFit2jsBEADr', 'AA=='],
  refuses: ['', '!!!!', 'A', 'AAA', 'AB==', 'AAAA=AAAA', 'AA==AA==', '-_-_', '"AAAA"'],
  writes: [['mQEN BFit', 'mQENBFit']],
  refusesOctets: [''],
});

describeType(DHCID, {
  accepts: ['AA==', 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='],
  refuses: ['', '!!!!', 'AAA', '"AAAA"'],
  writes: [['AAIB Y2/A', 'AAIBY2/A']],
  refusesOctets: [''],
});

describeType(CERT, {
  accepts: ['1 0 0 AAAA', '65534 65535 255 AAAA'],
  refuses: ['', '1 0 0', '0 0 0 AAAA', '65536 0 0 AAAA', '1 0 256 AAAA', 'BOGUS 0 0 AAAA', '1 0 0 !!!!', '1 0 0 A'],
  writes: [
    ['PGP 0 0 mQGi BDnY', '3 0 0 mQGiBDnY'],
    ['PKIX 65534 RSASHA256 AAAA', '1 65534 8 AAAA'],
  ],
  refusesOctets: ['0001000000', '000000000000'],
});
