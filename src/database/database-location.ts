import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nearest } from '../config/option-table.js';
import { DatabaseOpenError, reasonOf } from './database-failure.js';
import { createDirectoryOf, createPrivateFileIfMissing, exists } from './private-files.js';
import { logOf, traceOfMissingLog } from './sqlite/database-file.js';

/** The only directory that is created: another missing one may be a typing error. */
const OWN_DIRECTORY = 'data';

/** Checks for the file and its log before SQLite would create them. @throws DatabaseOpenError */
export async function assertPresent(path: string): Promise<void> {
  assertLogPresent(path);
  if (await exists(path)) return;
  throw new DatabaseOpenError(
    `there is no database ${resolve(path)}: run this where the service runs, or name its configuration by --config-file;` +
      ' zonewright migrate makes a new one',
  );
}

/** SQLite would create the file, and its log, with a mode that the umask decides. @throws DatabaseOpenError */
export async function makeIfMissing(path: string): Promise<void> {
  assertLogPresent(path);
  if (await exists(path)) return;
  const directory = dirname(resolve(path));
  if (directory !== resolve(OWN_DIRECTORY)) await assertDirectory(path, directory);
  try {
    await createDirectoryOf(path);
    await createPrivateFileIfMissing(path);
  } catch (error) {
    throw new DatabaseOpenError(`cannot open the database ${path}: ${reasonOf(error)}`);
  }
}

/** SQLite does not notice when the mode of an open file changes. @throws DatabaseOpenError */
export async function assertWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw new DatabaseOpenError(`cannot write to the database ${path}: ${reasonOf(error)}`);
  }
}

async function assertDirectory(path: string, directory: string): Promise<void> {
  if (await exists(directory)) return;
  const meant = await directoryLike(directory);
  throw new DatabaseOpenError(
    `cannot open the database ${path}: there is no directory ${directory}${meant === null ? '' : `; is ${meant} meant?`}` +
      ' Correct [database] url, or make the directory for the user of the service',
  );
}

/** Finds an existing directory with a similar name, at the first missing level of the path. */
async function directoryLike(missing: string): Promise<string | null> {
  const parent = dirname(missing);
  if (!(await exists(parent))) return directoryLike(parent);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = nearest(basename(missing), names);
  return found === undefined ? null : join(parent, found);
}

/** Without the log, SQLite would serve an incomplete database. */
function assertLogPresent(path: string): void {
  const trace = traceIn(path);
  if (trace === null) return;
  throw new DatabaseOpenError(
    `${logOf(path)} is missing; it holds the last changes of the database: put it back,` +
      ` or move ${trace} away to start without them`,
  );
}

function traceIn(path: string): string | null {
  try {
    return traceOfMissingLog(path);
  } catch (error) {
    throw new DatabaseOpenError(`cannot open the database ${path}: ${reasonOf(error)}`);
  }
}
