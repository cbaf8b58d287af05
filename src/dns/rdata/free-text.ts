import { characterStrings } from './fields.js';
import { tokenizeFreeText } from './tokenize.js';
import { recordType, type RecordType } from './record-type.js';

/** TXT and SPF: character strings that API data may write as one plain text (spec/behaviour.md 5.3). */
export function freeTextType(about: Pick<RecordType, 'name' | 'code' | 'rfc'>): RecordType {
  return recordType({
    ...about,
    fields: [characterStrings('text')],
    split: tokenizeFreeText,
    example: { name: 'example.org.', data: '"v=spf1 mx -all"' },
  });
}
