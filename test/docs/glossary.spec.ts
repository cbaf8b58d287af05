import { describe, expect, it } from '@jest/globals';
import { documentsIn, read } from '../support/documents.js';

/** `| word | meaning | in the code |` */
const ROW = /^\| (?<word>[a-zA-Z][^|]*?)\s*\|[^|]*\| `(?<name>[\w.]+)`\s*\|$/gm;
const MOST_TERMS = 40;

describe('docs/glossary.md', () => {
  const rows = [...read('docs/glossary.md').matchAll(ROW)].map(({ groups }) => groups ?? {});

  it('has few enough words to be learned', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.length).toBeLessThanOrEqual(MOST_TERMS);
  });

  it('names existing code', () => {
    const code = documentsIn(['src'], /^src\/.*\.ts$/)
      .map(({ text }) => text)
      .join('\n');
    const missing = rows.filter(({ name = '' }) => !new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`).test(code));
    expect(missing).toEqual([]);
  });
});
