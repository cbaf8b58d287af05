import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text file of the repository; its path is relative to the root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

export function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** The files at any depth of `folders`, and those beside them in the root, whose names match `name`. */
export function documentsIn(folders: readonly string[], name: RegExp): Document[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return [...readdirSync('.'), ...paths]
    .filter((path) => name.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .map((path) => ({ path, text: read(path) }));
}
