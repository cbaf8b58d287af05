import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { documentsIn, read } from '../support/documents.js';

const ADRS = 'docs/adr';
const INDEX = `${ADRS}/README.md`;

/** `# 12. Title`, and the status that the next line begins with. */
const HEAD = /^# (?<number>\d+)\. (?<title>.*)\n\n(?<status>[^.\n]*)/;
/** `| [12](0012-file.md) | title | status | decided |` */
const ROW =
  /^\| \[(?<number>\d+)\]\((?<file>[^)]*)\)\s*\| (?<title>.*?)\s*\| (?<status>.*?)\s*\| (?<decided>.*?)\s*\|$/gm;

describe('docs/adr/README.md', () => {
  const rows = [...read(INDEX).matchAll(ROW)].map(({ groups }) => ({ ...groups }));

  it('lists every ADR by its number, title and status', () => {
    const files = documentsIn([ADRS], /(?:^|\/)\d{4}-[\w-]+\.md$/).sort((a, b) => (a.path < b.path ? -1 : 1));
    expect(rows).toEqual(
      files.map(({ path, text }) => ({
        file: basename(path),
        decided: expect.any(String),
        ...HEAD.exec(text)?.groups,
      })),
    );
  });

  it('numbers them from 1 without a gap', () => {
    expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, at) => at + 1));
  });
});

/** `[text](target)`, without code blocks. */
const LINK = /(?<!`)\[[^\]]*\]\((?<target>[^)\s]+)\)/g;
const CODE = /^```.*?^```$/gms;

describe('links', () => {
  it('lead to files and headings that are there', () => {
    const broken = documentsIn(['docs', 'examples', 'bench'], /\.md$/).flatMap(({ path, text }) =>
      [...text.replace(CODE, '').matchAll(LINK)]
        .map(({ groups }) => groups?.target ?? '')
        .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(path, target))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

/** `src/index.ts` in running text, without blocks of code. */
const PATH = /`(?<path>(?:src|test|docs|bench|scripts|examples)\/[\w./-]+)`/g;

describe('paths in the text', () => {
  it('are those of files and folders that are there', () => {
    const missing = documentsIn(['docs', 'examples', 'bench'], /\.md$/).flatMap((document) =>
      [...document.text.replace(CODE, '').matchAll(PATH)]
        .map(({ groups }) => groups?.path ?? '')
        .filter((path) => !existsSync(path))
        .map((path) => `${document.path}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

function leadsSomewhere(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  return existsSync(file) && (anchor === undefined || anchorsIn(file).includes(anchor));
}

/** The anchors of headings as GitHub makes them. */
function anchorsIn(file: string): string[] {
  return [...read(file).matchAll(/^#+ (?<heading>.*)$/gm)].map(({ groups }) =>
    (groups?.heading ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}
