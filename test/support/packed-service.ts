import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const runFile = promisify(execFile);

/** What npm puts into the tarball of the service. */
export interface Packed {
  /** The path of the tarball. */
  readonly tarball: string;
  /** In octets. */
  readonly size: number;
  /** Paths from the root of the package. */
  readonly files: readonly string[];
}

/** `npm pack`, of what was built before the tests began. */
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

/** As src/database/sqlite/sqlite-driver.ts has it: older ones load what was compiled, newer ones what comes built. */
const COMPILES = Number(process.versions.napi) < 10;

/** What SQLite is loaded from, in the folder of who has the service installed. */
export const SQLITE = COMPILES
  ? 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'
  : 'node_modules/better-sqlite3-napi/prebuilds';

/**
 * `npm install`, which takes packages out of its own cache without asking the registry again. better-sqlite3 is not built
 * once more, which takes a minute: it is given what was built for the tests.
 */
export async function installInto(folder: string, ...packages: string[]): Promise<void> {
  await npm(folder, ['install', '--ignore-scripts', '--prefer-offline', ...packages]);
  if (!COMPILES) return;
  await mkdir(dirname(join(folder, SQLITE)), { recursive: true });
  await copyFile(join(ROOT, SQLITE), join(folder, SQLITE));
}

/** @returns what it printed @throws Error with all that it said when it fails */
export async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await runFile('npm', args, { cwd, maxBuffer: 2 ** 26 });
  return stdout;
}
