import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest } from '@jest/globals';
import { itWith } from '../support/run-program.js';
import { violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { compileLibcTrouble } from './libc-trouble.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const trouble = compileLibcTrouble();
const directory = mkdtempSync(join(tmpdir(), 'zonewright-slow-'));
const flag = join(directory, 'slow');
afterAll(() => rmSync(directory, { recursive: true }));

describe('a disk that takes three seconds for each sync', () => {
  itWith(trouble.needs)('makes changes slow and no reads', async () => {
    const violations = await violationsUnder({
      name: 'sync takes 3 s',
      environment: trouble.slowSync(flag),
      isAboutReads: true,
      run: async (target) => {
        writeFileSync(flag, '');
        await target.hold(inForm(8000, 30_000));
        rmSync(flag);
      },
    });
    expect(violations).toEqual([]);
  });
});
