import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

export interface Place {
  /** Relative to the folder. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** The text of a zone, which may come from several files. One character for each octet. */
export interface SourceText {
  readonly text: string;
  placeOf(line: number, column?: number): Place;
}

/** A mistake in a file of the folder. */
export class SourceError extends Error {
  constructor({ file, line, column }: Place, message: string) {
    super(`${file}:${line}${column === undefined ? '' : `:${column}`}: ${message}`);
  }
}

/** Reads files of one folder. Neither a path nor a symbolic link leads out of it. */
export class FolderFiles {
  private constructor(readonly root: string) {}

  static async open(directory: string): Promise<FolderFiles> {
    return new FolderFiles(await realpath(directory));
  }

  /**
   * Returns one character for each octet.
   * @throws Error without the name of the file
   */
  async read(name: string, maxOctets: number): Promise<string> {
    const path = await this.inside(name);
    // Without O_NONBLOCK, a named pipe without a writer would wait forever.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new Error('this is not a regular file');
      if (stats.size > maxOctets) throw new Error(`the file has more than ${maxOctets} octets: split it`);
      const octets = Buffer.alloc(stats.size);
      const { bytesRead } = await file.read(octets, 0, stats.size, 0);
      return octets.toString('latin1', 0, bytesRead);
    } finally {
      await file.close();
    }
  }

  private async inside(name: string): Promise<string> {
    if (name.includes('\0')) throw new Error('the name of a file has no NUL');
    const path = await realpath(join(this.root, name)).catch((error: unknown) => {
      throw new Error(isMissing(error) ? 'the file does not exist' : messageOf(error));
    });
    if (path.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep)) return path;
    throw new Error('the file lies outside the folder: copy it into the folder');
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
