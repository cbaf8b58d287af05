import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';

const FIGURES = pathToFileURL(resolve(import.meta.dirname, '../../dist/src/observability/metrics/worker-figures.js'));
/** A worker that has not heard yet that its parent is gone when it says that it tells figures. */
const WORKER = `
  import { tellFigures } from '${FIGURES.href}';
  process.send('begun');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  tellFigures();
  setTimeout(() => process.exit(0), 100);
`;

it('18.3 a worker whose parent has just died ends without an error', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-parent-gone-'));
  const program = join(directory, 'worker.mjs');
  await writeFile(program, WORKER);
  const worker = fork(program, { execArgv: [] });
  worker.once('message', () => worker.disconnect());
  const code = await new Promise((ended) => worker.once('exit', ended));
  await rm(directory, { recursive: true });
  expect(code).toBe(0);
});
