import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const runFile = promisify(execFile);

const DRIVER = new URL('../../dist/src/database/sqlite/sqlite-driver.js', import.meta.url).href;
/** In milliseconds. Garbage collection in an idle process crashed Node.js 24 with better-sqlite3 12. */
const IDLE = Number(process.versions.napi) < 10 ? 100 : 12_000;

const LEAVE_STATEMENTS = `
  const { loadSqlite } = await import(${JSON.stringify(DRIVER)});
  const database = new (loadSqlite())(':memory:');
  for (let made = 0; made < 20_000; made += 1) database.prepare('SELECT 1');
  globalThis.garbage = Array.from({ length: 200_000 }, (_, at) => ({ at }));
  await new Promise((resolve) => setTimeout(resolve, ${IDLE}));
  console.log(database.prepare('SELECT 1 AS kept').get().kept);
`;

const IN_THREAD = `
  import { Worker } from 'node:worker_threads';
  new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(LEAVE_STATEMENTS)}`)}));
`;

describe('the driver of SQLite', () => {
  it('outlives the statements that are collected while nothing runs, in a process and in a thread', async () => {
    const ends = [LEAVE_STATEMENTS, IN_THREAD].map((code) =>
      runFile(process.execPath, ['--input-type=module', '--eval', code]),
    );
    for (const { stdout } of await Promise.all(ends)) expect(stdout).toBe('1\n');
  });
});
