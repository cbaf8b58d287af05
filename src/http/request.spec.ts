import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { traceIdOf } from './request.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('16.5 traceparent', () => {
  it.each([
    ['the first version', `00-${TRACE}-${PARENT}-01`],
    ['a later version', `01-${TRACE}-${PARENT}-00`],
    ['a later version with more behind it', `cc-${TRACE}-${PARENT}-01-what-will-be`],
  ])('names the trace in %s', (_, traceparent) => {
    expect(traceIdOf({ traceparent })).toBe(TRACE);
  });

  it.each([
    ['nothing', undefined],
    ['no hexadecimal digits', `00-${'g'.repeat(32)}-${PARENT}-01`],
    ['capital letters', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['no parent', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the invalid version', `ff-${TRACE}-${PARENT}-01`],
    ['more than the first version has', `00-${TRACE}-${PARENT}-01-more`],
    ['two of them', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
  ])('is not heeded with %s', (_, traceparent) => {
    expect(traceIdOf(traceparent === undefined ? {} : { traceparent })).toBeNull();
  });

  it('is 32 hexadecimal digits, or absent, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (traceparent) => {
        expect(traceIdOf({ traceparent }) ?? TRACE).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
  });
});
