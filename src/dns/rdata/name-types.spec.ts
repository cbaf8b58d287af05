import { describeType } from '../../testing/describe-type.js';
import { CNAME, DNAME, NS, PTR } from './name-types.js';

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

describeType(DNAME, {
  accepts: ['new.example.org.', '.', String.raw`a\.b.example.org.`],
  refuses: ['', 'new', 'a..b.', 'a b.', '*.example.org.', String.raw`a.\256.`, 'a. b.'],
  loads: [['new', 'new.example.org.']],
  refusesOctets: ['', '0161'],
});

describeType(NS, {
  accepts: ['ns1.example.org.', 'NS1.example.org.', '_ns.example.org.'],
  refuses: [
    '.',
    'ns1',
    'ns1.example.org',
    '*.example.org.',
    '-ns.example.org.',
    '192.0.2.1',
    'ns1.example.org. x.',
    '',
  ],
  loads: [['ns1', 'ns1.example.org.']],
  refusesOctets: ['00', '012a00'],
});

describeType(PTR, {
  accepts: ['www.example.org.', 'mail!.example.org.', '-a.example.org.', '192.0.2.1.', String.raw`a\.b.example.org.`],
  refuses: ['www.example.org', '*.example.org.', String.raw`\000.example.org.`, 'bücher.example.', 'a. b.', ''],
  loads: [['www', 'www.example.org.']],
  refusesOctets: ['012a00'],
});
