import { open, stat } from 'node:fs/promises';
import { ServiceError } from '../common/service-error.js';
import type { ZoneFile } from '../zone-files/zone-file.js';
import type { ImportRequest } from '../zone-files/zone-import.service.js';
import { startProgress } from './zone-progress.js';

/**
 * Runs `work`, which imports a zone file in that mode, with a bar that shows how far it is, and prints the lines at fault.
 * @throws Error as `openZoneFile`, and what `work` throws
 */
export async function onZoneFile<T>(
  path: string,
  mode: ImportRequest['mode'],
  work: (file: ZoneFile) => Promise<T>,
): Promise<T> {
  const file = await openZoneFile(path);
  const progress = await startProgress('import', file.size * readingsOf(mode), 'octets');
  try {
    return await work(watched(file, progress.advance)).finally(progress.end);
  } catch (error) {
    for (const { path: place, message } of error instanceof ServiceError ? error.errors : [])
      if (place.startsWith('line ')) console.error(`${path}: ${place}: ${message}`);
    throw error;
  } finally {
    await file.close();
  }
}

const PIECE = 8192;

interface ZoneFileOnDisk extends ZoneFile {
  close(): Promise<void>;
}

/** @throws Error for what cannot be read from its start again: a second reading of a pipe would find an empty zone */
async function openZoneFile(path: string): Promise<ZoneFileOnDisk> {
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

/** An import judges its file and then stores it; a replacement looks in between for what the file lacks. */
function readingsOf(mode: ImportRequest['mode']): number {
  return mode === 'replace' ? 3 : 2;
}

/** The same file; `onRead` is told how many octets were taken of it, each time it is gone through. */
function watched(file: ZoneFile, onRead: (octets: number) => void): ZoneFile {
  return {
    ...file,
    async *octets() {
      for await (const piece of file.octets()) {
        yield piece;
        onRead(piece.length);
      }
    },
  };
}
