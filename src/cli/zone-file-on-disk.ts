import { open, stat } from 'node:fs/promises';
import type { ZoneFile } from '../zone-files/zone-file.js';

const PIECE = 8192;

export interface ZoneFileOnDisk extends ZoneFile {
  /** In octets. */
  readonly size: number;
  close(): Promise<void>;
}

/** @throws Error for what cannot be read from its start again: a second reading of a pipe would find an empty zone */
export async function openZoneFile(path: string): Promise<ZoneFileOnDisk> {
  const stats = await stat(path);
  if (!stats.isFile())
    throw new Error(`${path} is not a file, and an import reads its file more than once: save it as one first`);
  const handle = await open(path);
  return {
    size: stats.size,
    maxGeneratedOctets: null,
    octets: () => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: PIECE }),
    close: () => handle.close(),
  };
}

/** The same file; `onRead` is told how many octets were taken of it, each time it is gone through. */
export function watched(file: ZoneFile, onRead: (octets: number) => void): ZoneFile {
  return {
    maxGeneratedOctets: file.maxGeneratedOctets,
    async *octets() {
      for await (const piece of file.octets()) {
        yield piece;
        onRead(piece.length);
      }
    },
  };
}
