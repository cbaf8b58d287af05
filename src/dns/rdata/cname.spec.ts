import { describeType } from '../../testing/describe-type.js';
import { CNAME } from './cname.js';

describeType(CNAME, {
  accepts: [
    'www.example.org.',
    'WWW.example.org.',
    '_x.example.org.',
    '-a-.example.org.',
    '.',
    String.raw`a\.b\032c.example.org.`,
    String.raw`\200.example.org.`,
    'a*b.example.org.',
  ],
  refuses: [
    '',
    'www',
    'www.example.org',
    '@',
    '*.example.org.',
    'www.*.example.org.',
    String.raw`\042.example.org.`,
    String.raw`\000.example.org.`,
    String.raw`a\127.example.org.`,
    'www..example.org.',
    'www.example.org. other.example.org.',
    'www example.org.',
    'www.example.org.;',
    '"www.example.org."',
    'bücher.example.',
    ['www.example.org.', 10],
  ],
  writes: [[String.raw`\119ww!.example.org.`, String.raw`www\033.example.org.`]],
  loads: [
    ['www', 'www.example.org.'],
    ['@', 'example.org.'],
  ],
  refusesOctets: ['', '0161', '01610000', '012a00', '010a00'],
});
