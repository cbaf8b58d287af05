import { describeType } from '../../testing/describe-type.js';
import { MX, SRV, URI } from './service-types.js';

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

describeType(URI, {
  accepts: [
    '10 1 "https://example.org/a;b?c=%20(d)"',
    '65535 0 "x"',
    `0 0 "${'x'.repeat(300)}"`,
    '10 1 "a b"',
    '10 1 "é"',
    String.raw`10 1 "\000\"\255"`,
  ],
  refuses: ['', '10 1', '10 "x"', '10 1 ""', '10 1 unquoted', '10 1 "a" "b"', '65536 1 "x"'],
  writes: [['10 1 "é b"', String.raw`10 1 "\195\169 b"`]],
  loads: [['10 1 ftp://ftp.example.org/public', '10 1 "ftp://ftp.example.org/public"']],
  refusesOctets: ['000a', '000a0001'],
});
