import { describe, expect, it } from '@jest/globals';
import { sentenceOf, wordedFields } from './refusal-sentences.js';
import type { ErrorAnswer, FieldError } from './types.js';
import { words } from '../words/index.js';

const SAID = 'The service says.';
/** Names of fields, headers and parameters: `min_ttl`, `changes[0]`, `X-Auth-Token`. */
const FOR_PROGRAMS = /\w_\w|\w\[\d|X-[A-Z]|undefined|[{}]/;
/** Parameters of every reason. */
const FACTS = {
  ...{ minimum: 1, maximum: 9, octets: 1, values: ['a', 'b'], limit: 'types', use: 2, quota: 'zones', retry_after: 3 },
  ...{ type: 'A', other: 'MX', name: 'www.example.org.', domain: 'example.org.', value: '.' },
};

const ANSWER = { code: 400, params: {}, message: SAID, request_id: '' };

describe('22.12 the sentences of the console for refusals of the API', () => {
  it('22.12 exist for every type of the API, except those whose cause only the service knows', () => {
    // The compiler compares the keys with the types of the OpenAPI document.
    const types = Object.keys(words.refusalTypes);
    const raw = types.filter((type) => sentenceOf({ ...ANSWER, type, reason: type } as ErrorAnswer) === SAID);
    // `invalid_object` comes with its fields, and version 2 has no finer words.
    expect(raw).toEqual([
      ...['bad_request', 'dnssec_conflict', 'invalid_object', 'invalid_recordset_location', 'invalid_ttl', 'unknown'],
    ]);
    for (const sentence of Object.values(words.refusalTypes)) expect(sentence ?? '').not.toMatch(FOR_PROGRAMS);
  });

  it('22.12 exist for every reason of a field, without words for programs', () => {
    const codes = Object.keys(words.refusals);
    for (const code of codes) {
      const path = 'changes[0].record.ttl';
      const error = { path, message: `${path} ${SAID}`, validator: 'type', code, params: FACTS } as FieldError;
      const [worded] = wordedFields({ errors: [error] });
      expect(worded?.message).not.toMatch(FOR_PROGRAMS);
    }
  });
});
