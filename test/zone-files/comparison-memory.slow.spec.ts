import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startComparison } from '../support/comparison.js';
import { newDomain } from '../support/domain.js';
import { type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf, removeTestData } from '../support/service.js';

describe('a comparison of a large file', () => {
  /** In octets: holding the differences, their JSON and its octets together takes a third more. */
  const ROOM = 80 * 2 ** 20;
  const RECORDS = 15_000;
  let directory: string;
  let running: ServiceProcess;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    running = await startServiceProcess(directory, environmentOf(directory, { SERVICE_API__MAX_BODY_SIZE: '100 MiB' }));
  });
  afterAll(async () => {
    running.signal('SIGTERM');
    await running.ended;
    await removeTestData(directory);
  });

  it('9.5 takes no more memory than its dry run, also while its client does not read', async () => {
    const large = await newDomain(clientsOf(running.url));
    const file = Array.from({ length: RECORDS }, (_, at) => `h${at} TXT ${`"${'x'.repeat(250)}" `.repeat(8)}\n`).join(
      '',
    );
    // Twice: the garbage of the first one counts too.
    for (let runs = 0; runs < 2; runs++) await large.import(file, '?dry_run=true');
    const before = await peakMemory(running.pid);
    const answer = await startComparison(running.url, large, file);
    // All of the differences have been gathered, and most of their octets wait for the client.
    const after = await peakMemory(running.pid);
    expect(after - before).toBeLessThan(ROOM);
    let octets = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) octets += piece.length;
    expect(octets).toBeGreaterThan(RECORDS * 2000);
    expect((await peakMemory(running.pid)) - before).toBeLessThan(ROOM);
  });
});

/** The most memory that a process has had so far, in octets. */
async function peakMemory(pid: number): Promise<number> {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
