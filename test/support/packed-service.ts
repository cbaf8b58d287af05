import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const runFile = promisify(execFile);

/** The contents of the service tarball. */
export interface Packed {
  /** The path of the tarball. */
  readonly tarball: string;
  /** In octets. */
  readonly size: number;
  /** Paths from the root of the package. */
  readonly files: readonly string[];
}

/** `npm pack` of the build from before the tests. */
export async function packService(folder: string): Promise<Packed> {
  const answer = await npm(ROOT, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
  const [packed] = JSON.parse(answer) as [PackedByNpm];
  return {
    tarball: resolve(folder, packed.filename),
    size: packed.size,
    files: packed.files.map(({ path }) => path),
  };
}

interface PackedByNpm {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** As in src/database/sqlite/sqlite-driver.ts: older versions load the compiled addon, newer ones the prebuilt one. */
const COMPILES = Number(process.versions.napi) < 10;

/** The SQLite files in a folder with the installed service. */
export const SQLITE = COMPILES
  ? 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'
  : 'node_modules/better-sqlite3-napi/prebuilds';

/**
 * `npm install` from the npm cache without registry requests. Copies the better-sqlite3 build of the tests, since
 * building takes a minute.
 */
export async function installInto(folder: string, ...packages: string[]): Promise<void> {
  await npm(folder, ['install', '--ignore-scripts', '--prefer-offline', ...packages]);
  if (!COMPILES) return;
  await mkdir(dirname(join(folder, SQLITE)), { recursive: true });
  await copyFile(join(ROOT, SQLITE), join(folder, SQLITE));
}

/** @returns its output @throws Error with all its output on failure */
export async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await runFile('npm', args, { cwd, maxBuffer: 2 ** 26 });
  return stdout;
}
