import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nearest } from '../config/nearest.js';
import { DatabaseOpenError, reasonOf } from './database-open-error.js';
import { createDirectoryOf, createPrivateFileIfMissing, exists } from './private-files.js';
import { logOf, traceOfMissingLog } from './sqlite/sqlite-log.js';

/** Of the default of `[database] url`: the only directory that is made, since any other may be a slip of the pen. */
const OWN_DIRECTORY = 'data';

/**
 * Refuses a file that is not there, or whose log is not, before SQLite would make what is missing.
 * @throws DatabaseOpenError
 */
export async function assertPresent(path: string): Promise<void> {
  assertLogPresent(path);
  if (await exists(path)) return;
  throw new DatabaseOpenError(
    `there is no database ${resolve(path)}: run this where the service runs, or name its configuration by --config-file;` +
      ' zonewright migrate makes a new one',
  );
}

/**
 * Makes an empty file where there is none. SQLite would make one that the umask lets others read, and gives its log the
 * mode of the file.
 * @throws DatabaseOpenError
 */
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

/**
 * SQLite opens a file that it cannot write to for reading, and would not notice when that has changed.
 * @throws DatabaseOpenError
 */
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

/** One beside it, or beside the first that is missing above it, whose name differs by a letter or two. */
async function directoryLike(missing: string): Promise<string | null> {
  const parent = dirname(missing);
  if (!(await exists(parent))) return directoryLike(parent);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = nearest(basename(missing), names);
  return found === undefined ? null : join(parent, found);
}

/** SQLite would begin a new log, and serve what the file alone has as if that were all. */
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
