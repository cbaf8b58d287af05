import { describeType } from '../../testing/describe-type.js';
import { MX } from './mx.js';

describeType(MX, {
  accepts: [
    ['mail.example.org.', 10],
    ['MAIL.Example.org.', 65535],
    ['_mail.example.org.', 0],
    ['192.0.2.1.', 10],
    ['.', 0],
    ['.', 10],
  ],
  refuses: [
    ['mail.example.org', 10],
    ['192.0.2.1', 10],
    ['*.example.org.', 10],
    ['-mail.example.org.', 10],
    [String.raw`a\.b.example.org.`, 10],
    ['mail!.example.org.', 10],
    ['mail.example.org. ', 10],
    ['10 mail.example.org.', 10],
    ['"mail.example.org."', 10],
    ['bücher.example.org.', 10],
    ['mail.example.org.', null],
    ['mail.example.org.', -1],
    ['mail.example.org.', 65536],
    ['mail.example.org.', 1.5],
    ['mail.example.org.', NaN],
  ],
  writes: [[String.raw`\109ail.example.org.`, 'mail.example.org.']],
  loads: [
    ['10 mail', 'mail.example.org.'],
    ['010 mail.example.net.', 'mail.example.net.'],
    ['0 .', '.'],
    ['1 @', 'example.org.'],
    [String.raw`\# 5 000a016100`, 'a.'],
  ],
  refusesOctets: ['000a', '000a0161', '000a012a00', '000ac00c'],
});
