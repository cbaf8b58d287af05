import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';

/** Directories for the tests of a file, each removed after the test that made it. */
export function temporaryDirectories(): () => Promise<string> {
  const made: string[] = [];
  afterEach(async () => {
    for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
  });
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    made.push(directory);
    return directory;
  };
}
