import { characterStrings } from './fields.js';
import { recordType, type RecordType } from './record-type.js';
import { tokenizeFreeText } from './tokenize.js';

/** Makes TXT, and the types with its form: character strings, which API data may have as one plain text (behaviour 5.3). */
export function freeTextType(
  about: Pick<RecordType, 'name' | 'code' | 'rfc'> & { readonly placement?: { readonly isSingle: true } },
  example = '"v=spf1 mx -all"',
): RecordType<{ readonly text: readonly Uint8Array[] }> {
  return recordType({
    ...about,
    fields: { text: characterStrings },
    tokenize: tokenizeFreeText,
    example: { name: 'example.org.', data: example },
  });
}
