import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { answerOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { clientsOf, databaseFileIn, environmentOf } from '../support/service.js';
import { inForm } from './form.js';
import { compileLibcTrouble } from './libc-trouble.js';

jest.setTimeout(300_000);

/** Milliseconds of a slowed sync (libc-trouble.c), and of a read beyond waiting for one. */
const SYNC = inForm(2000, 3000);
const OWN_TIME = 1000;
const WRITERS = 4;
const READS = inForm(3, 20);
/** The log is copied when a commit comes by, which is after some of them. */
const MOST_READS = 40;
/** In octets: a log that is longer is copied into the file. */
const LONG_LOG = 16 * 2 ** 20;
const LARGE = 'x'.repeat(50_000);

const trouble = compileLibcTrouble();
let directory: string;
let flag: string;
let service: ServiceProcess;
let domain: TestDomain;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-slow-sync-'));
  flag = join(directory, 'slow');
  service = await startServiceProcess(directory, {
    ...environmentOf(directory),
    ...trouble.slowSync(flag, SYNC / 1000),
  });
  domain = await newDomain(clientsOf(service.url));
});
afterEach(async () => {
  killAll(service);
  await service.ended;
  audit(databaseFileIn(directory));
  await rm(directory, { recursive: true });
});

/** How long reads take on the slow disk while some write without a pause, in milliseconds. */
async function readsBeside(
  write: (writer: number, at: number) => Promise<unknown>,
  isEnough: () => boolean = () => true,
): Promise<number[]> {
  await writeFile(flag, '');
  const end = new AbortController();
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let at = 0; !end.signal.aborted; at++) await write(writer, at);
  });
  const times: number[] = [];
  for (let read = 0; read < READS || (read < MOST_READS && !isEnough()); read++) {
    await delay(500);
    const start = performance.now();
    await domain.now();
    times.push(performance.now() - start);
  }
  end.abort();
  await rm(flag);
  await Promise.all(writers);
  return times;
}

describe('a disk that takes seconds for each sync', () => {
  itWith(trouble.needs)('keeps a read waiting for one sync at most, however many changes wait', async () => {
    const create = (writer: number, at: number) =>
      domain.create({ name: domain.at(`h${String(at)}.w${String(writer)}`), type: 'A', data: '192.0.2.1' });
    expect(Math.max(...(await readsBeside(create)))).toBeLessThan(SYNC + OWN_TIME);
  });

  itWith(trouble.needs)('keeps it waiting no longer while the log is copied into the file', async () => {
    const { id } = await domain.newRecord({ name: domain.name, type: 'TXT', data: LARGE });
    const change = (writer: number, at: number) =>
      answerOf(domain.update(id, { data: `${String(writer)}-${String(at)}-${LARGE}` }));
    for (let at = 0; (await stat(`${databaseFileIn(directory)}-wal`)).size < LONG_LOG - 2 ** 20; at++)
      await change(WRITERS, at);
    const times = await readsBeside(change, () => copiedPages() > 0);
    expect(Math.max(...times)).toBeLessThan(SYNC + OWN_TIME);
    expect(copiedPages()).toBeGreaterThan(0);
  });
});

function copiedPages(): number {
  const database = new Database(databaseFileIn(directory), { readonly: true });
  // How many pages of the log are in the file already; it changes nothing.
  const [row] = database.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
  database.close();
  return row?.checkpointed ?? 0;
}
