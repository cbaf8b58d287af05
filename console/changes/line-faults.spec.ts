import { describe, expect, it } from '@jest/globals';
import { faultsOfFile } from './line-faults.js';

describe('22.7 the errors of a file', () => {
  it('have a line number and text; faults without a line come first', () => {
    const errors = [
      { path: 'line 2, column 5', message: 'no address', validator: 'format', code: 'format', params: {} },
      { path: '', message: '1 error', validator: 'format', code: 'format', params: {} },
    ] as const;
    expect(faultsOfFile('$TTL 300\r\nwww A x\r\n', errors)).toEqual({
      lines: [{ line: 2, text: 'www A x', message: 'no address' }],
      general: ['1 error'],
    });
  });
});
