import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { HistoryRetentionService } from '../../src/zones/journal/history-retention.service.js';
import { answerOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { journalOf } from '../support/journal.js';
import { DAY, SteppedClock } from '../support/stepped-clock.js';
import { storeRows } from '../support/store-rows.js';
import { lookInto } from '../support/stored.js';

const NOTHING = 'DELETE FROM quotas WHERE 1 = 0';
const clock = new SteppedClock();
let service: AssembledService;
beforeAll(async () => {
  const settings = { SERVICE_CENTRAL__HISTORY_DAYS: '2', SERVICE_CENTRAL__DELETED_HISTORY_DAYS: '1' };
  service = await assembleTestService({ clock, settings });
});
afterAll(() => service.stop());

const removeOld = () => service.get(HistoryRetentionService).removeOld();
const numbersOf = ({ id }: TestDomain) => journalOf(service.databaseFile, id).map(({ number }) => number);
const tables = () =>
  lookInto(service.databaseFile, ({ rows }) => [
    rows('SELECT zone_id FROM listener_places'),
    rows('SELECT name FROM change_listeners'),
  ]);

describe('the backlog of a change listener', () => {
  it('19.5, 11.4 stays until it is seven days old, and a listener that is away is forgotten then', async () => {
    const [read, unread, deleted] = [await newDomain(service), await newDomain(service), await newDomain(service)];
    await answerOf(service.call('delete', `/v1/domains/${deleted.id}`));
    const away = { name: 'away', seen_at: clock.instant };
    const place = { listener: 'away', zone_id: read.id, number: 1 };
    storeRows(service.databaseFile, { change_listeners: [away], listener_places: [place] }, NOTHING);

    clock.instant += 3 * DAY;
    await removeOld();
    expect([read, unread, deleted].map(numbersOf)).toEqual([[], [1], [1, 2]]);
    await service.get(Scheduler).runNow('listeners.gone');
    expect(tables()).toEqual([[{ zone_id: read.id }], [{ name: 'away' }]]);

    clock.instant += 5 * DAY;
    await removeOld();
    expect([read, unread, deleted].map(numbersOf)).toEqual([[], [], []]);
    await service.get(Scheduler).runNow('listeners.gone');
    expect(tables()).toEqual([[], []]);
  });
});
