import { open } from 'node:fs/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit, contentsOf } from '../support/audit.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';
import { newDomain, type TestDomain } from '../support/domain.js';

let service: TestService;
let directory: string;
let zone: TestDomain;
let before: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  service = await startTestService({}, directory);
  zone = await newDomain(service, 'example.org.');
  await zone.import('www A 192.0.2.1\n');
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
  await removeTestData(directory);
});
beforeEach(() => {
  before = contentsOf(service.databaseFile);
});
/** Refused files leave no trace. */
afterEach(() => {
  expect(contentsOf(service.databaseFile) === before).toBe(true);
});

/** Says at its end on standard error how much it held at most, in kilobytes. */
const TELL_PEAK = "process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS))";

interface Refused extends Ended {
  readonly faults: readonly string[];
  readonly peakMegabytes: number;
}

/** `zonewright zone import --mode replace` of a file that is refused. */
async function refuse(file: string): Promise<Refused> {
  const env = {
    ...environmentOf(directory),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL_PEAK)}`,
  };
  const ended = await runCommand(directory, env, ['zone', 'import', file, '--domain', zone.name, '--mode', 'replace']);
  expect([ended.code, ended.stdout]).toEqual([1, '']);
  const faults = ended.stderr.split('\n').filter((line) => line.startsWith(`${file}: line `));
  return { ...ended, faults, peakMegabytes: Number(/peak (\d+)$/.exec(ended.stderr)?.[1]) / 1024 };
}

async function refuseText(name: string, text: string | Buffer): Promise<Refused> {
  await writeFile(join(directory, name), text);
  return refuse(name);
}

describe('15.2, 17.3 the command line refuses', () => {
  it('bad data in line 99,999 of 100,000, while the service answers others', async () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `h${String(at)} A 192.0.2.1`);
    lines[99_998] = 'h99998 A 192.0.2';
    const refusing = refuseText('long.zone', lines.join('\n'));
    const slowest = await slowestAnswerUntil(refusing);
    expect((await refusing).faults).toEqual([expect.stringMatching(/line 99999, column 10: A: /)]);
    expect(slowest).toBeLessThan(10_000);
  });

  it('100 MB of one line, in bounded memory', async () => {
    const file = await open(join(directory, 'line.zone'), 'w');
    await file.write('www TXT "');
    const million = Buffer.alloc(1_000_000, 'x');
    for (let megabyte = 0; megabyte < 100; megabyte += 1) await file.write(million);
    await file.close();
    const { faults, peakMegabytes } = await refuse('line.zone');
    expect(faults).toEqual([expect.stringMatching(/line 1, column 1: .*longer than/)]);
    expect(peakMegabytes).toBeLessThan(300);
    await rm(join(directory, 'line.zone'));
  });

  it('15.3 garbage, endless input, and references to other files (attack case 6)', async () => {
    const garbage = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7919 + (at >> 3)) & 255));
    const ended = await Promise.all([
      refuseText('garbage.zone', garbage),
      refuseText('parenthesis.zone', `a TXT ( x\n${'b A 192.0.2.1\n'.repeat(1000)}`),
      refuseText('generate.zone', '$GENERATE 1-1000000000 h$ A 192.0.2.1\n'),
      refuseText('include.zone', '$INCLUDE /etc/passwd\n'),
    ]);
    const [inGarbage, ...others] = ended.map(({ faults }) => faults);
    expect(inGarbage!.length).toBeGreaterThan(0);
    expect(others).toEqual([
      [expect.stringMatching(/line 1, column 7: .*not closed/)],
      [expect.stringMatching(/line 1, column 11: .*1000000000 records/)],
      [expect.stringMatching(/line 1, column 1: \$INCLUDE is not followed/)],
    ]);
    for (const { stderr } of ended) expect(stderr).not.toContain('root:');
  });

  it('15.2 an empty file, which would empty the domain', async () => {
    const ended = await Promise.all([refuseText('empty.zone', ''), refuseText('comment.zone', '\ufeff; nothing\r\n')]);
    for (const { stderr } of ended)
      expect(stderr).toMatch(/^zonewright: The zone file is empty; nothing was stored\.\n/);
  });
});

/** The longest that the service took for a record, in milliseconds, asked again and again. */
async function slowestAnswerUntil(end: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  void end.catch(() => undefined).finally(() => (state.isOver = true));
  let slowest = 0;
  while (!state.isOver) {
    const started = performance.now();
    await zone.records();
    slowest = Math.max(slowest, performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return slowest;
}
