import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Whoever closes it before the end, as `head` does, has read enough. */
export async function writeToStandardOutput(text: Readable): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
