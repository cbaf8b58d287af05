import { lstat, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Token hashes and all tenants' records are for the owner only, regardless of the umask. */
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
const FOR_OTHERS = 0o077;

export interface OpenToOthers {
  readonly path: string;
  readonly mode: string;
  readonly privateMode: string;
}

export async function createDirectoryOf(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
}

export async function createPrivateFile(path: string): Promise<void> {
  const handle = await open(path, 'wx', PRIVATE_FILE);
  await handle.close();
}

export async function createPrivateFileIfMissing(path: string): Promise<void> {
  try {
    await createPrivateFile(path);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'EEXIST') throw error;
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Skips missing files. */
export async function openToOthers(paths: readonly string[]): Promise<OpenToOthers[]> {
  const looked = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return looked.flatMap((stats, at) => {
    if (stats === null || stats.isSymbolicLink() || (stats.mode & FOR_OTHERS) === 0) return [];
    const privateMode = stats.isDirectory() ? PRIVATE_DIRECTORY : PRIVATE_FILE;
    return [{ path: paths[at] ?? '', mode: octal(stats.mode & 0o777), privateMode: octal(privateMode) }];
  });
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
