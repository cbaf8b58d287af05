import { describe, expect, it } from '@jest/globals';
import type { RecordSnapshot } from '../plugins/change-listener.js';
import { DiffDrawing } from './diff-drawing.js';

const RECORD: RecordSnapshot = {
  id: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d',
  name: 'mail.example.org.',
  type: 'MX',
  data: 'mx.example.org.',
  priority: 10,
  ttl: null,
  description: null,
  rdata: '',
  version: 1,
  createdAt: 0,
  updatedAt: null,
};

describe('a diff', () => {
  const plain = new DiffDrawing(false);

  it('11.2 has a line for the old and one for the new state', () => {
    const after = { ...RECORD, ttl: 60, description: 'backup' };
    expect(plain.record({ before: RECORD, after })).toBe(
      '-mail.example.org. MX 10 mx.example.org.\n+mail.example.org. 60 MX 10 mx.example.org. ; backup\n',
    );
    expect(plain.record({ before: null, after: RECORD })).toBe('+mail.example.org. MX 10 mx.example.org.\n');
    expect(plain.record({ before: RECORD, after: null })).toBe('-mail.example.org. MX 10 mx.example.org.\n');
  });

  it('11.2 is red and green where colors are enabled', () => {
    const drawn = new DiffDrawing(true).record({ before: RECORD, after: RECORD });
    expect(drawn).toMatch(/^\x1b\[31m-.*\x1b\[39m\n\x1b\[32m\+.*\x1b\[39m\n$/);
  });

  it('11.2 contains no terminal control sequences', () => {
    const description = '\x1b[2J\u009b1m\u202e';
    expect(plain.record({ before: null, after: { ...RECORD, description } })).toBe(
      '+mail.example.org. MX 10 mx.example.org. ; \\u{1b}[2J\\u{9b}1m\\u{202e}\n',
    );
  });
});
