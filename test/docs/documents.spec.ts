import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { brokenLinksIn, CODE, documentsIn, linkedFiles, read } from '../support/documents.js';

const ADRS = 'docs/adr';
const INDEX = `${ADRS}/README.md`;

/** `# 12. Title`, and the status that the next line begins with. */
const HEAD = /^# (?<number>\d+)\. (?<title>.*)\n\n(?<status>[^.;\n]*)/;
/** `| [12](0012-file.md) | title | status | decided |` */
const ROW =
  /^\| \[(?<number>\d+)\]\((?<file>[^)]*)\)\s*\| (?<title>.*?)\s*\| (?<status>.*?)\s*\| (?<decided>.*?)\s*\|$/gm;
/** `| 12 | title | [7](0007-file.md) |`: 7 contains the decision of 12. */
const ABSORBED = /^\| (?<number>\d+)\s*\| .*?\| \[(?<by>\d+)\]\([^)]*\)\s*\|$/gm;

/** Folders that all adapters of an interface share. */
const COMMON = ['http', 'feed'];

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

  it('leads from every number to the one that is alive', () => {
    const alive = rows.map(({ number }) => Number(number));
    const absorbed = [...read(INDEX).matchAll(ABSORBED)].map(({ groups }) => ({ ...groups }));
    const numbers = [...alive, ...absorbed.map(({ number }) => Number(number))].sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(absorbed.filter(({ by }) => !alive.includes(Number(by)))).toEqual([]);
  });

  it('has at most 30, of at most 40 lines of text', () => {
    expect(rows.length).toBeLessThanOrEqual(30);
    const long = rows.filter(({ file = '' }) => (read(`${ADRS}/${file}`).match(/^.+$/gm)?.length ?? 0) > 40);
    expect(long).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('leads to every page and folder of docs', () => {
    const map = read('docs/README.md');
    const missing = readdirSync('docs')
      .filter((name) => !/^(?:README\.md$|\.)/.test(name) && !map.includes(`](${name}`))
      .sort();
    expect(missing).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('names every feature with the adapters that it has', () => {
    const adapters = readdirSync('src', { recursive: true, encoding: 'utf8' }).flatMap((path) => {
      const { feature, adapter } = /^(?<feature>.*)\/(?<adapter>v1|v2|admin)$/.exec(path)?.groups ?? {};
      return feature === undefined || COMMON.includes(feature) ? [] : [{ feature, adapter }];
    });
    const rows = [...read('docs/architecture.md').matchAll(/^\| (?<features>`.*)\| (?<adapters>`.*`)\s*\|$/gm)];
    const missing = adapters.filter(
      ({ feature, adapter }) =>
        !rows.some(
          ({ groups }) => groups?.features?.includes(`\`${feature}\``) && groups.adapters?.includes(`\`${adapter}\``),
        ),
    );
    expect(missing).toEqual([]);
  });
});

describe('links', () => {
  it('lead to files and headings that are there', () => {
    const broken = brokenLinksIn(documentsIn(['docs', 'examples', 'bench'], /\.md$/));
    expect(broken).toEqual([]);
  });

  it('stay within the pages of the Debian package', () => {
    const packaged = read('packaging/debian/zonewright.docs').trim().split('\n');
    const isPackaged = (path: string): boolean => packaged.some((page) => path === page || path.startsWith(`${page}/`));
    const outside = documentsIn(['docs'], /\.md$/)
      .filter(({ path }) => isPackaged(path))
      .flatMap(({ path, text }) => linkedFiles(path, text).map((file) => ({ path, file })))
      .filter(({ file }) => !isPackaged(file))
      .map(({ path, file }) => `${path}: ${file}`);
    expect(outside).toEqual([]);
  });
});

/** `src/index.ts` in running text, without blocks of code. */
const PATH = /`(?<path>(?:src|test|docs|bench|scripts|examples)\/[\w./-]+)`/g;

describe('paths in the text', () => {
  it('refer to existing files and folders', () => {
    const missing = documentsIn(['docs', 'examples', 'bench'], /\.md$/).flatMap((document) =>
      [...document.text.replace(CODE, '').matchAll(PATH)]
        .map(({ groups }) => groups?.path ?? '')
        .filter((path) => !existsSync(path))
        .map((path) => `${document.path}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
