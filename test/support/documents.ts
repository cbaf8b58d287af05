import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A text file of the repository; its path is relative to the root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

export function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Files in `folders` at any depth, and root files, whose names match `name`. */
export function documentsIn(folders: readonly string[], name: RegExp): Document[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return [...readdirSync('.'), ...paths]
    .filter((path) => name.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .map((path) => ({ path, text: read(path) }));
}

/** `[text](target)`, without code blocks. */
const LINK = /(?<!`)\[[^\]]*\]\((?<target>[^)\s]+)\)/g;
/** Code blocks, whose text contains no links. */
export const CODE = /^```.*?^```$/gms;

/** Links to missing files or headings, as `page: target`. */
export function brokenLinksIn(pages: readonly Document[]): string[] {
  return pages.flatMap(({ path, text }) =>
    targetsIn(text)
      .filter((target) => !leadsSomewhere(path, target))
      .map((target) => `${path}: ${target}`),
  );
}

/** The other files that the page at `path` links to, relative to the root. */
export function linkedFiles(path: string, text: string): string[] {
  const files = targetsIn(text).map((target) => target.split('#')[0] ?? '');
  return files.filter((file) => file !== '').map((file) => join(dirname(path), file));
}

function targetsIn(text: string): string[] {
  const targets = [...text.replace(CODE, '').matchAll(LINK)].map(({ groups }) => groups?.target ?? '');
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

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
