import { describe, expect, it } from '@jest/globals';
import { CODE, type Document, documentsIn, read } from '../support/documents.js';

const LONGEST_PARAGRAPH = 70;
/** In octets. */
const LONGEST_PAGE = 25 * 1024;
/** In octets: an overview. */
const LONGEST_OVERVIEW = 12 * 1024;
const README_LINES = 150;
/** Words in place of a name. Write the noun: the caller, the client, the operator, no other process. */
const VAGUE = /\b(?:whoever|those who|nobody|PowerDNS's|OpenStack's)\b/i;
/** The text of a decision stays as it was made. */
const DECISIONS = 'docs/adr/';

/** Tables that a program writes, and the record of all releases. */
const GENERATED =
  /^docs\/(?:extending\/api\/|configuration\.md|tempest\.md|reference\/messages\.md)|^bench\/results\/goals\.md|^CHANGELOG\.md/;

const pages = documentsIn(['docs', 'src', 'bench', 'test', 'examples', 'console'], /\.md$/).filter(
  ({ path }) => !GENERATED.test(path),
);

describe('hand-written pages', () => {
  it(`have paragraphs of at most ${LONGEST_PARAGRAPH} words`, () => {
    expect(pages.flatMap(longParagraphsIn)).toEqual([]);
  });

  it('name the actor', () => {
    const vague = pages
      .filter(({ path }) => !path.startsWith(DECISIONS))
      .flatMap(({ path, text }) => (VAGUE.exec(text.replace(CODE, '')) ?? []).map((word) => `${path}: ${word}`));
    expect(vague).toEqual([]);
  });

  it('have at most 25 KiB', () => {
    expect(pages.filter(({ text }) => Buffer.byteLength(text) > LONGEST_PAGE).map(({ path }) => path)).toEqual([]);
  });
});

describe('README.md', () => {
  it(`has at most ${README_LINES} lines`, () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES);
  });
});

describe('docs/architecture.md', () => {
  it('has at most 12 KiB, and a picture before its first section', () => {
    const text = read('docs/architecture.md');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LONGEST_OVERVIEW);
    expect(text.split(/^## /m)[0]).toContain('```mermaid');
  });
});

/** As `page: words: beginning`. Each item of a list is a paragraph; headings, tables and blocks of code are none. */
function longParagraphsIn({ path, text }: Document): string[] {
  return text
    .replace(CODE, '')
    .replace(/^ +```.*?^ +```$/gms, '')
    .replace(/^ *(?:[#>|].*|<!--.*-->)$/gm, '')
    .split(/\n\s*\n|\n(?= *(?:[-*+]|\d+\.) )/)
    .map((paragraph) => paragraph.trim().split(/\s+/))
    .filter((words) => words.length > LONGEST_PARAGRAPH)
    .map((words) => `${path}: ${words.length}: ${words.slice(0, 8).join(' ')}`);
}
