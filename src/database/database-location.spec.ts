import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeIfMissing } from './database-location.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-location-'));
});
afterEach(() => rm(directory, { recursive: true }));

it('18.6 a database file is created once by concurrent starts', async () => {
  const file = join(directory, 'new.sqlite');
  await Promise.all(Array.from({ length: 10 }, () => makeIfMissing(file)));
  const { size, mode } = await stat(file);
  expect([size, mode & 0o777]).toEqual([0, 0o600]);
});
