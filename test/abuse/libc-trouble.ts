import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type Program, run } from '../support/run-program.js';

const COMPILER: Program = { name: 'gcc', needs: { gcc: 'gcc', '/usr/include/stdlib.h': 'libc6-dev' } };

/** Trouble that reaches a process by its environment (libc-trouble.c). */
export interface LibcTrouble {
  readonly needs: Program;
  /** Delays syncs by `seconds` while the file `flag` exists. */
  slowSync(flag: string, seconds: number): Record<string, string>;
  /** Shifts the clock by `offset` seconds; negative: into the past. */
  clock(offset: number): Record<string, string>;
  /** Shifts the clock by the 64-bit number in the file, which may change at any time. */
  clockBy(file: string): Record<string, string>;
}

/** Compiles it for the tests of a file. */
export function compileLibcTrouble(): LibcTrouble {
  const directory = mkdtempSync(join(tmpdir(), 'zonewright-trouble-'));
  // For processes of other users.
  chmodSync(directory, 0o755);
  const library = join(directory, 'libc-trouble.so');
  beforeAll(async () => {
    const source = join(import.meta.dirname, 'libc-trouble.c');
    const { failed, output } = await run('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
    if (failed) throw new Error(output);
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  return {
    needs: COMPILER,
    slowSync: (flag, seconds) => ({
      ...{ LD_PRELOAD: library, TROUBLE_SLOW_SYNC: flag },
      TROUBLE_SYNC_SECONDS: String(seconds),
    }),
    clock: (offset) => ({ LD_PRELOAD: library, TROUBLE_CLOCK_OFFSET: String(offset) }),
    clockBy: (file) => ({ LD_PRELOAD: library, TROUBLE_CLOCK_FILE: file }),
  };
}
