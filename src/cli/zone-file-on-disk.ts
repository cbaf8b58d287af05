import { type FileHandle, open, stat } from 'node:fs/promises';
import { ServiceError } from '../common/service-error.js';
import type { ZoneFile } from '../zone-files/zone-file.js';
import { startProgress } from './terminal.js';

/**
 * Runs an import of a zone file with a progress bar, and prints the faulty lines.
 * @throws Error as `openZoneFile`, and errors of `work`
 */
export async function onZoneFile<T>(
  path: string,
  work: (file: ZoneFile) => Promise<T>,
  start = startProgress,
): Promise<T> {
  const file = await openZoneFile(path);
  try {
    return await work(watched(file, start));
  } catch (error) {
    for (const { path: line, message } of error instanceof ServiceError ? error.errors : [])
      if (line.startsWith('line ')) console.error(`${path}: ${line}: ${message}`);
    throw error;
  } finally {
    await file.close();
  }
}

const PIECE = 8192;

interface ZoneFileOnDisk extends ZoneFile {
  close(): Promise<void>;
}

/** @throws Error for a pipe, which a second reading would find empty */
async function openZoneFile(path: string): Promise<ZoneFileOnDisk> {
  const stats = await stat(path);
  if (!stats.isFile())
    throw new Error(`${path} is not a file, and an import reads its file more than once: save it as one first`);
  const handle = await open(path);
  return {
    size: stats.size,
    maxGeneratedOctets: null,
    octets: () => piecesOf(handle),
    close: () => handle.close(),
  };
}

/** Reuses one buffer: many buffers take hundreds of megabytes before garbage collection. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PIECE);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, PIECE, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Adds a progress bar to each reading, because an import reads its file several times. */
function watched(file: ZoneFile, start: typeof startProgress): ZoneFile {
  let readings = 0;
  return {
    ...file,
    async *octets() {
      readings += 1;
      const progress = await start(`import, reading ${readings}`, file.size, 'octets');
      try {
        for await (const piece of file.octets()) {
          yield piece;
          progress.advance(piece.length);
        }
      } finally {
        progress.end();
      }
    },
  };
}
