import { describeType } from '../../testing/describe-type.js';
import { PTR } from './ptr.js';

describeType(PTR, {
  accepts: ['www.example.org.', 'mail!.example.org.', '-a.example.org.', '192.0.2.1.', String.raw`a\.b.example.org.`],
  refuses: ['www.example.org', '*.example.org.', String.raw`\000.example.org.`, 'bücher.example.', 'a. b.', ''],
  loads: [['www', 'www.example.org.']],
  refusesOctets: ['012a00'],
});
