import { describe, expect, it } from '@jest/globals';
import { sentenceOf, worded, wordedFields } from './refusal-sentences.js';
import type { ErrorAnswer, FieldError } from './types.js';

const answer = (changed: Partial<ErrorAnswer>): ErrorAnswer => ({
  ...{ code: 400, type: 'invalid_object', reason: 'invalid_object', params: {}, message: 'The service says.' },
  request_id: '',
  ...changed,
});

const field = (path: string, code: string, params: FieldError['params'] = {}): FieldError => ({
  ...{ path, message: `${path} as the service says.`, validator: 'type', params },
  // The service of another release may have others.
  code: code as FieldError['code'],
});

describe('22.12 sentences for refusals', () => {
  it('are those of the page for known reasons', () => {
    const taken = { reason: 'duplicate_domain', params: { domain: 'example.org.' } };
    expect(sentenceOf(answer(taken))).toBe('The zone example.org. already exists.');
    const full = { reason: 'over_quota', params: { quota: 'zone_records', limit: 1500, use: 1501 } };
    expect(sentenceOf(answer(full))).toMatch(/^The quota “Records in a zone” is 1,500, and this would use 1,501\./);
    expect(sentenceOf(answer({ reason: 'token_limit', params: { limit: null } }))).toMatch(
      /^Your token does not allow this/,
    );
    expect(sentenceOf(answer({ type: 'webhook_not_found', reason: 'webhook_not_found' }))).toMatch(
      /^Webhook not found/,
    );
  });

  it('are those of the service for unknown reasons, and for service-only details', () => {
    for (const reason of ['tomorrow', 'constructor', 'record_data', 'invalid_object'])
      expect(sentenceOf(answer({ reason, type: 'unknown' }))).toBe('The service says.');
  });

  it('name the control that a field is, and leave fields of record data to the service', () => {
    const errors = [
      field('changes[3].record.ttl', 'minimum', { minimum: 60 }),
      field('name_servers[2]', 'maxLength', { maximum: 255 }),
      field('changes[0].record.fields.ttl', 'minimum', { minimum: 1 }),
      field('line 3, column 1', 'record_data', { type: 'A', field: 'data' }),
      field('changes[1]', 'not_beside', { type: 'CNAME', other: 'A', name: 'www.example.org.' }),
    ];
    const refusal = worded(answer({ errors }));
    expect(refusal.errors?.map(({ message }) => message)).toEqual([
      'The TTL has to be 60 or more.',
      'A name server may have up to 255 characters.',
      'This value as the service says.',
      'line 3, column 1 as the service says.',
      'www.example.org. already has an A record, so it cannot also be a CNAME.',
    ]);
    expect(refusal.message).toMatch(/^The TTL .* A name server .* says\. 2 more of this kind\.$/);
  });

  it('22.12 replace the path of a field in a message of the service', () => {
    const told = (path: string, message: string): string | undefined =>
      wordedFields({ errors: [{ ...field(path, 'type'), message }] })[0]?.message;
    expect(told('changes[2].record.ttl', 'changes[2].record.ttl must be an integer.')).toBe(
      'The TTL must be an integer.',
    );
    expect(told('changes[0].record.data', 'data: an address is missing.')).toBe('An address is missing.');
    expect(told('line 3, column 5', 'line 3, column 5 has no type.')).toBe('line 3, column 5 has no type.');
    expect(told('ttl', 'ttls differ.')).toBe('ttls differ.');
  });
});
