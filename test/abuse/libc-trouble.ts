import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type Program, run } from '../support/run-program.js';

const COMPILER: Program = { name: 'gcc', needs: { gcc: 'gcc', '/usr/include/stdlib.h': 'libc6-dev' } };

/** Trouble that reaches a process by its environment (libc-trouble.c). */
export interface LibcTrouble {
  readonly needs: Program;
  /** Syncs take so many seconds longer as long as there is a file of that name. */
  slowSync(flag: string, seconds: number): Record<string, string>;
  /** The clock is so many seconds ahead, or behind where it is negative. */
  clock(offset: number): Record<string, string>;
  /** The same as that file says, a number of 64 bits that may change at any time. */
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
