import { lstat, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What is kept holds the hashes of tokens and everybody's records: it is for its owner only, whatever the umask. */
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;
const FOR_OTHERS = 0o077;

/** A private file that others can read. */
export interface OpenToOthers {
  readonly path: string;
  /** As `chmod` takes it. */
  readonly mode: string;
  /** What it should be. */
  readonly privateMode: string;
}

/** Makes the directories above a file where they are missing; one that is there stays as it is. */
export async function createDirectoryOf(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
}

/** Makes an empty file. */
export async function createPrivateFile(path: string): Promise<void> {
  const handle = await open(path, 'wx', PRIVATE_FILE);
  await handle.close();
}

/** Makes an empty file unless another process has made it meanwhile. */
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

/** Those of the paths that others than their owner may read or write; what is not there is passed over. */
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
