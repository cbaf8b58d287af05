import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExpiringProcesses, LONGEST } from '../support/expiring-processes.js';

jest.setTimeout(LONGEST);

let processes: ExpiringProcesses;
beforeEach(async () => {
  processes = await ExpiringProcesses.inNewDirectory();
});
afterEach(() => processes.stop());

describe('of several processes on one PostgreSQL', () => {
  it('14.5, 18.4 deletes each record in one process; others continue after a kill', async () => {
    const [first, second] = [await processes.start(), await processes.start(), await processes.start()];
    await processes.fill(first, { domains: 10, records: 50 }, 4);
    await processes.untilSomeAreGone();
    await processes.kill(first);
    await processes.untilAllAreGone(second);
    processes.expectEachOnce(50);
    const changes = processes.domains.map(
      (domain) => new Set(processes.journalOf(domain).map(({ change_id }) => change_id)).size,
    );
    // The domain, its additions and its deletions.
    expect(changes).toEqual(processes.domains.map(() => 3));
  });
});
