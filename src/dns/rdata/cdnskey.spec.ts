import { describeType } from '../../testing/describe-type.js';
import { CDNSKEY } from './cdnskey.js';

const KEY_OF_32_OCTETS = 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=';

describeType(CDNSKEY, {
  accepts: [
    '257 3 8 AwEAAQ==',
    `257 3 15 ${KEY_OF_32_OCTETS}`,
    '0 3 8 AwEAAQ==',
    '0 3 0 AA==',
    '257 3 1 AwEAAQ==',
    '257 3 99 AwEAAQ==',
    '257 3 255 AA==',
  ],
  refuses: [
    '',
    '257 3 8',
    '257 2 8 AwEAAQ==',
    '257 256 8 AwEAAQ==',
    '257 3 8 !!!',
    '257 3 8 AwEAAQ',
    '257 3 8 AwEAAR==',
    '257 3 13 AwEAAQ==',
    `257 3 14 ${KEY_OF_32_OCTETS}`,
    '257 3 0 AA==',
    '63549 3 253 FT+D8Q==',
    '257 3 254 FT+D8Q==',
    '0 3 0 AAA=',
    '257 3 AwEAAQ==',
  ],
  writes: [['257 3 RSASHA256 AwEA AQ==', '257 3 8 AwEAAQ==']],
  refusesOctets: ['01010308', '01010208ff', '0000030001'],
});
