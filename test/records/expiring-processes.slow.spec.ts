import { afterEach, beforeEach, describe, it, jest } from '@jest/globals';
import { ExpiringProcesses, LONGEST } from '../support/expiring-processes.js';
import { until } from '../support/until.js';

jest.setTimeout(LONGEST);

let processes: ExpiringProcesses;
beforeEach(async () => {
  processes = await ExpiringProcesses.inNewDirectory();
});
afterEach(() => processes.stop());

describe('an expiring record', () => {
  it('14.5 while no process runs is removed by the next one, once, with the option or without', async () => {
    const first = await processes.start();
    const at = await processes.fill(first, { domains: 2, records: 20 }, 1.5);
    await processes.kill(first);
    await until(() => Date.now() > at, LONGEST);
    await processes.untilAllAreGone(await processes.start({}));
    processes.expectEachOnce(20);
  });

  it('14.5, 18.1 is removed exactly once when the removing process is killed', async () => {
    const first = await processes.start();
    await processes.fill(first, { domains: 10, records: 100 }, 4);
    await processes.untilSomeAreGone();
    await processes.kill(first);
    await processes.untilAllAreGone(await processes.start());
    processes.expectEachOnce(100);
  });
});
