import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ZoneFile } from '../zones/zone-file.js';

const PIECE = 262_144;

export interface ZoneFileOnDisk extends ZoneFile {
  /** In octets. */
  readonly size: number;
}

/** @param onRead told how many octets were read, each time the file is gone through */
export async function openZoneFile(path: string, onRead: (octets: number) => void): Promise<ZoneFileOnDisk> {
  const { size } = await stat(path);
  return {
    size,
    async *octets() {
      for await (const piece of createReadStream(path, { highWaterMark: PIECE })) {
        const octets = piece as Buffer;
        yield octets;
        onRead(octets.length);
      }
    },
  };
}
