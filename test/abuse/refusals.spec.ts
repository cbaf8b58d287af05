import { describe, expect, it, jest } from '@jest/globals';
import { MALLORY, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const MOST_ERRORS = 100;
/** In octets. */
const LONGEST_REFUSAL = 200_000;
/** Inherited property names of every object: none is a known field at any depth. */
const NAMES = ['toString', 'valueOf', '__proto__', 'constructor'];

/** A megabyte that holds 60,000 unknown fields, each at the end of a long path. */
function bodyOfUnknownFields(): string {
  const leaf = `{${NAMES.map((name) => `"${name}":0`).join(',')}}`;
  const level = (width: number, inner: string): string =>
    `{${Array.from({ length: width }, (_, at) => `"${at.toString(36)}":${inner}`).join(',')}}`;
  const long = 'k'.repeat(64);
  return `{"${long}":{"${long}1":{"${long}2":{"${long}3":${level(2, level(75, level(100, leaf)))}}}}}`;
}

describe('a body with 60,000 unknown fields', () => {
  const body = bodyOfUnknownFields();

  it('is refused with no more than a hundred errors, and their number', async () => {
    expect(body.length).toBeLessThan(2 ** 20);
    const violations = await violationsUnder({
      name: 'one body of unknown fields',
      run: async (target) => {
        const start = performance.now();
        const answer = await target.clients.as('mallory').call('post', '/v1/domains', body);
        const { message, errors } = answer.body as { message: string; errors: unknown[] };
        target.note({
          status: answer.status,
          octets: answer.text.length,
          errors: errors.length,
          took: performance.now() - start,
        });
        target.must(answer.status === 400, `the status is ${answer.status}`);
        target.must(errors.length === MOST_ERRORS, `there are ${errors.length} errors`);
        target.must(/\b100\b/.test(message), 'the message does not say how many errors are listed');
        target.must(answer.text.length < LONGEST_REFUSAL, `the refusal has ${answer.text.length} octets`);
      },
    });
    expect(violations).toEqual([]);
  });

  it('does not slow down others when repeated', async () => {
    const violations = await violationsUnder({
      name: 'bodies of unknown fields',
      run: async (target) => {
        const flood = target.flood({
          kind: 'requests',
          parallel: 8,
          times: inForm(24, 80),
          method: 'POST',
          path: '/v1/domains',
          headers: { ...MALLORY, 'Content-Type': 'application/json' },
          body,
        });
        target.note(await flood.ended);
      },
    });
    expect(violations).toEqual([]);
  });
});
