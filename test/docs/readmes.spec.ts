import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { brokenLinksIn, CODE, documentsIn } from '../support/documents.js';

/** A folder of more files is not read at a glance. */
const MANY_FILES = 10;
/** In octets: a page. */
const LONGEST = 5000;
/** `records.service.ts`, `changes/record-changes.ts` or `changes/` in running text. */
const NAMED = /`(?<path>[\w.-]+\.tsx?|(?:[\w.-]+\/)+(?:[\w.-]+\.[jt]s)?)`/g;

const readmes = documentsIn(['src'], /^src\/.*README\.md$/);

/** The folders of src itself, and those inside of them that have many files. */
function foldersToIntroduce(): string[] {
  const folders = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const areMany = (folder: string): boolean =>
    readdirSync(folder).filter((name) => name.endsWith('.ts')).length > MANY_FILES;
  return folders.filter((folder) => dirname(folder) === 'src' || areMany(folder)).sort();
}

/** Relative to the page, to src or to the repository, as readers would look for it. */
function isThere(page: string, path: string): boolean {
  return [dirname(page), 'src', '.'].some((folder) => existsSync(join(folder, path)));
}

describe('README.md in src', () => {
  it('introduces every folder of src, and every folder with more than ten files', () => {
    const introduced = readmes.map(({ path }) => dirname(path));
    expect(foldersToIntroduce().filter((folder) => !introduced.includes(folder))).toEqual([]);
  });

  it('names files and folders that are there', () => {
    const missing = readmes.flatMap(({ path, text }) =>
      [...text.replace(CODE, '').matchAll(NAMED)]
        .map(({ groups }) => groups?.path ?? '')
        .filter((named) => !isThere(path, named))
        .map((named) => `${path}: ${named}`),
    );
    expect(missing).toEqual([]);
  });

  it('counts the files that a change of records passes', () => {
    const sections = readmes.find(({ path }) => path === 'src/records/README.md')?.text.split(/^## /m) ?? [];
    const counts = sections.flatMap((section) => {
      const said = /^A .* passes (?<count>\d+) files$/m.exec(section)?.groups?.count;
      const named = [...section.matchAll(NAMED)].map(({ groups }) => groups?.path);
      return said === undefined ? [] : [{ said: Number(said), named: new Set(named).size }];
    });
    expect(counts).toEqual([
      { said: expect.any(Number), named: counts[0]?.said },
      { said: expect.any(Number), named: counts[1]?.said },
    ]);
    // A longer walk is not followed to its end.
    expect(counts[0]?.said).toBeLessThanOrEqual(30);
    expect(counts[1]?.said).toBeLessThanOrEqual(32);
  });

  it('has links that lead somewhere', () => {
    expect(brokenLinksIn(readmes)).toEqual([]);
  });

  it('is a page long at most', () => {
    expect(readmes.filter(({ text }) => text.length > LONGEST).map(({ path }) => path)).toEqual([]);
  });
});
