import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import ts from 'typescript';
import { documentsIn } from '../support/documents.js';

jest.setTimeout(180_000);

/** A block of code, without its fences. */
const CODE = /^```(?<language>ts|js)\n(?<code>.*?)^```$/gms;

interface Block {
  readonly path: string;
  readonly language: string;
  readonly code: string;
}

const blocks = documentsIn(['docs/extending'], /^docs\/extending\/[^/]+\.md$/).flatMap(({ path, text }) =>
  [...text.matchAll(CODE)].map(({ groups }): Block => ({
    path,
    language: groups?.language ?? '',
    code: groups?.code ?? '',
  })),
);
const examples = documentsIn(['examples'], /^examples\/.*\.ts$/).map(({ text }) => inOneLine(text));
/** Excerpts of examples are compiled and tested with these. */
const ofTheirOwn = blocks.filter(({ code }) => !examples.some((example) => example.includes(inOneLine(code))));

describe('docs/extending', () => {
  it('contains only whole modules and excerpts of the examples, which are built and tested', () => {
    expect(blocks.length).toBeGreaterThan(20);
    expect(ofTheirOwn.filter(({ code }) => !code.includes('export default'))).toEqual([]);
  });

  it('contains modules that compile against the exports of the package', async () => {
    // Inside the package, so that imports of the package name resolve to the build.
    await mkdir('dist', { recursive: true });
    const folder = await mkdtemp(join('dist', 'blocks-'));
    try {
      const files = ofTheirOwn.map(({ path, language, code }, at) => {
        const file = join(folder, `${at}.${language}`);
        return { path, file: resolve(file), code };
      });
      for (const { file, code } of files) await writeFile(file, code);
      expect(files.length).toBeGreaterThan(1);
      expect(faultsIn(files.map(({ file }) => file))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
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

/** JavaScript is checked as far as it says its types. */
function faultsIn(files: readonly string[]): string[] {
  const program = ts.createProgram([...files], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    strict: true,
    noImplicitAny: false,
    noImplicitOverride: true,
    experimentalDecorators: true,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    noEmit: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file }) => `${file?.text ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

/** An excerpt is indented less than where it comes from. */
function inOneLine(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}
