import { describeType } from '../../testing/describe-type.js';
import { RP } from './rfc1183.js';

describeType(RP, {
  accepts: ['mbox.example.org. txt.example.org.', '. .', String.raw`first\.last.example.org. .`],
  refuses: ['', 'mbox.example.org.', 'mbox. txt. x.', 'mbox txt.', 'a@b.example.org', '*.example.org. .'],
  loads: [['mbox @', 'mbox.example.org. example.org.']],
  refusesOctets: ['00', '000000'],
});
