import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { audit } from '../support/audit.js';
import { fill, immutableStopsWriters, mountSmallDisk, setImmutable } from '../support/disk.js';
import { runService } from '../support/process.js';
import { databaseFileIn, environmentOf } from '../support/service.js';
import { until } from '../support/until.js';
import { TroubledService } from './trouble.js';

// Each test waits several times for as long as a change may wait.
jest.setTimeout(120_000);

/** In milliseconds: a change waits 20 s for the file's write lock, which another process may hold for an import. */
const LONGEST_ANSWER = 22_000;

const FULL = 'Changes are refused: the disk of the database is full (database or disk is full).';

let directory: string;
let file: string;
let service: TroubledService;

async function start(place: string): Promise<void> {
  directory = place;
  file = databaseFileIn(place);
  service = await TroubledService.start(place, environmentOf(place), file, LONGEST_ANSWER);
}

const disk = mountSmallDisk('8m');
disk?.remove();
if (disk === null) process.stderr.write('SKIPPED: tests with a disk of their own need the right to mount\n');

(disk === null ? describe.skip : describe)('a disk of its own (attack case 107)', () => {
  let small: NonNullable<ReturnType<typeof mountSmallDisk>>;
  beforeEach(() => {
    small = mountSmallDisk('8m')!;
  });
  afterEach(async () => {
    await service.kill();
    small.remove();
  });

  it('18.2 that is full: refuses changes, continues reads, and recovers when space is available', async () => {
    await start(small.directory);
    await service.create('before');
    const filler = join(directory, 'filler');
    await fill(filler);
    await service.createUntilRefused(20_000);
    // No client has called /readyz yet.
    expect(service.linesBeginning(FULL)).toBe(1);
    await service.expectReadingOnly();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => service.create(`together${String(at)}`, 20_000)),
    );
    expect(answers.map(({ status }) => status)).toContain(503);
    await rm(filler);
    await service.expectRecovery();
    expect((await service.create('after', 20_000)).status).toBe(200);
    await until(() => service.linesBeginning('The disk of the database has room again.') === 1);
    expect(service.linesBeginning(FULL)).toBe(1);
    await service.stop();
  });

  it('that is full when the service is killed: nothing acknowledged is lost', async () => {
    await start(small.directory);
    await service.create('before');
    const filler = join(directory, 'filler');
    await fill(filler);
    await service.createUntilRefused(20_000);
    await service.kill();
    await rm(filler);
    await service.restart();
    await service.expectNothingLost();
    await service.stop();
  });

  it('that is mounted read-only: the start is refused in one line, and works once it can be written to', async () => {
    await start(small.directory);
    await service.stop();
    small.remount('ro');
    const { code, stderr } = await runService(directory, environmentOf(directory));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^zonewright: cannot write to the database [^\n]*read-only file system[^\n]*\n$/);
    small.remount('rw');
    await service.restart();
    await service.expectRecovery();
    await service.stop();
  });
});

const canFreeze = await immutableStopsWriters();
if (!canFreeze) process.stderr.write('SKIPPED: the test with a file that cannot be changed needs root and ext4\n');

describe('a database file', () => {
  beforeEach(async () => start(await mkdtemp(join(tmpdir(), 'zonewright-trouble-'))));
  afterEach(async () => {
    await service.kill();
    audit(file);
    await rm(directory, { recursive: true });
  });

  (canFreeze ? it : it.skip)(
    '2.3 that cannot be written to: changes are refused, reads go on, and it recovers',
    async () => {
      await service.create('before');
      const files = [file, `${file}-wal`];
      setImmutable(true, ...files);
      try {
        expect((await service.create('refused')).status).toBe(503);
        await service.expectReadingOnly();
      } finally {
        setImmutable(false, ...files);
      }
      await service.expectRecovery();
    },
  );

  it.each([
    ['is moved away', async () => undefined],
    ['is replaced', () => copyFile(`${file}.aside`, file)],
  ])('18.2 that %s: changes and exports are refused, and it recovers once the file is back', async (_, replace) => {
    await service.create('before');
    await service.expectNothingLost();
    await service.expectExport();
    await rename(file, `${file}.aside`);
    await replace();
    expect((await service.create('refused')).status).toBe(503);
    await service.expectNoExport();
    await service.expectUnready();
    await rename(`${file}.aside`, file);
    await service.expectRecovery();
  });

  it('18.2 rejects exports when the spool directory is missing, and creates no other directory', async () => {
    await service.expectNothingLost();
    await service.expectExport();
    await rename(directory, `${directory}.aside`);
    await service.expectNoExport();
    expect(existsSync(directory)).toBe(false);
    await rename(`${directory}.aside`, directory);
    await service.expectRecovery();
  });

  it('18.2 that another process has locked: changes wait and are refused, reads go on, and it recovers', async () => {
    await service.create('before');
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const changes = Promise.all([1, 2, 3].map((at) => service.create(`waiting${String(at)}`)));
    await service.expectReadingOnly();
    expect((await changes).map(({ status }) => status)).toEqual([503, 503, 503]);
    other.exec('ROLLBACK');
    other.close();
    await service.expectRecovery();
  });
});
