import { describe, expect, it } from '@jest/globals';
import { documentsIn } from '../support/documents.js';

/** A block of TypeScript, without its fences. */
const CODE = /^```ts\n(?<code>.*?)^```$/gms;

describe('docs/extending', () => {
  it('has no code but that of the examples, which are built and tested', () => {
    const examples = documentsIn(['examples'], /^examples\/.*\.ts$/).map(({ text }) => inOneLine(text));
    const pages = documentsIn(['docs/extending'], /^docs\/extending\/[^/]+\.md$/);
    const made = pages.flatMap(({ path, text }) =>
      [...text.matchAll(CODE)]
        .map(({ groups }) => groups?.code ?? '')
        .filter((code) => !examples.some((example) => example.includes(inOneLine(code))))
        .map((code) => `${path}: ${code}`),
    );
    expect(pages.length).toBeGreaterThan(9);
    expect(made).toEqual([]);
  });

  it('has every page in its index', () => {
    const [index, ...pages] = documentsIn(['docs/extending'], /^docs\/extending\/[^/]+\.md$/).sort(({ path }) =>
      path.endsWith('README.md') ? -1 : 1,
    );
    const missing = pages
      .map(({ path }) => path.replace('docs/extending/', ''))
      .filter((name) => !index?.text.includes(`](${name})`));
    expect(missing).toEqual([]);
  });
});

/** An excerpt is indented less than where it comes from. */
function inOneLine(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}
