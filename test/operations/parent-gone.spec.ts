import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

/** In milliseconds: it looks after its parent no more often than it runs. */
const BUSY = 1000;

/** A worker that is busy when its parent dies, and has not heard of that when it does the last line. */
function workerThat(imported: string, file: string, last: string): string {
  return `
    import cluster from 'node:cluster';
    import { createServer } from 'node:net';
    import { ${imported} } from '${pathToFileURL(resolve(import.meta.dirname, '../../dist/src', file)).href}';
    if (cluster.isPrimary) cluster.fork().on('message', () => process.kill(process.pid, 'SIGKILL'));
    else {
      process.send('begun');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${BUSY});
      ${last}
    }
  `;
}

const TELLS_FIGURES = workerThat('tellFigures', 'monitoring/worker-metrics.js', 'tellFigures();');
const WANTS_SOCKET = workerThat(
  'endQuietlyWithParent',
  'app/workers/workers.js',
  `endQuietlyWithParent();
  createServer().listen(0, '127.0.0.1');`,
);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-parent-gone-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Until the last process that may write there has ended. */
async function errorsOf(program: string): Promise<string> {
  const file = join(directory, 'worker.mjs');
  await writeFile(file, program);
  const { stderr } = fork(file, { execArgv: [], silent: true });
  let text = '';
  for await (const piece of stderr ?? []) text += String(piece);
  return text;
}

it.each([
  ['tells figures', TELLS_FIGURES],
  ['wants a socket', WANTS_SOCKET],
])('18.3 a worker whose parent has just died when it %s ends without an error', async (_, program) => {
  expect(await errorsOf(program)).toBe('');
});
