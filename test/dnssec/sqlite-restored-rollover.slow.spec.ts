import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { ownPlaceForEach } from '../support/own-place.js';
import { runCommand } from '../support/process.js';
import { environmentOf } from '../support/service.js';
import { expectToGoOn, RESTORED, type RestorableDatabase, titleOf } from './restored-rollover.js';

// Several starts of processes, and two rollovers.
jest.setTimeout(240_000);

const COPY = 'copy.sqlite';

const place = ownPlaceForEach('restored-rollover');
const database: RestorableDatabase = {
  place,
  settings: () => ({}),
  keepMoment: async () => {
    const { directory } = place;
    expect(await runCommand(directory, environmentOf(directory), ['backup', COPY])).toMatchObject({ code: 0 });
  },
  restore: async () => {
    for (const end of ['', '-wal', '-shm']) await rm(`${place.database}${end}`, { force: true });
    await rename(join(place.directory, COPY), place.database);
  },
};

for (const restored of RESTORED) it(titleOf(restored), () => expectToGoOn(database, restored));
