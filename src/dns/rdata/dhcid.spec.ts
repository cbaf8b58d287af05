import { describeType } from '../../testing/describe-type.js';
import { DHCID } from './dhcid.js';

describeType(DHCID, {
  accepts: ['AA==', 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='],
  refuses: ['', '!!!!', 'AAA', '"AAAA"'],
  writes: [['AAIB Y2/A', 'AAIBY2/A']],
  refusesOctets: [''],
});
