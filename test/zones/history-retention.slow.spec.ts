import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HistoryRetentionService } from '../../src/zones/journal/history-retention.service.js';
import { expectStatus } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { journalOf } from '../support/journal.js';
import { DAY, SteppedClock } from '../support/stepped-clock.js';

const clock = new SteppedClock();
let service: AssembledService;
beforeAll(async () => {
  const settings = { SERVICE_CENTRAL__HISTORY_DAYS: '10', SERVICE_CENTRAL__DELETED_HISTORY_DAYS: '5' };
  service = await assembleTestService({ clock, settings });
});
afterEach(() => audit(service.databaseFile, { isHistoryCut: true }));
afterAll(() => service.stop());

const removeOld = () => service.get(HistoryRetentionService).removeOld();
const numbersOf = ({ id }: TestDomain) => journalOf(service.databaseFile, id).map(({ number }) => number);

async function importRecords(domain: TestDomain, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) => `h${at} A 192.0.2.1\n`).join('');
  expectStatus(await domain.sendFile(lines), 200);
}

describe('the history', () => {
  it('11.4 deletes entries older than history_days, also changes above a chunk, and keeps younger ones', async () => {
    const domain = await newDomain(service);
    const [changed, deleted] = [await domain.newRecord(), await domain.newRecord({ name: domain.at('deleted') })];
    await importRecords(domain, 2500);
    clock.instant += 9 * DAY;
    expectStatus(await domain.update(changed.id, { ttl: 60 }), 200);
    expectStatus(await domain.delete(deleted.id), 200);
    expectStatus(await service.call('put', `/v1/domains/${domain.id}`, { ttl: 7200 }), 200);
    await removeOld();
    expect(numbersOf(domain)).toHaveLength(2506);
    clock.instant += 2 * DAY;
    await removeOld();
    expect(numbersOf(domain)).toEqual([2504, 2505, 2506]);
    await domain.newRecord({ name: domain.at('later') });
    expect(numbersOf(domain)).toEqual([2504, 2505, 2506, 2507]);
  });

  it('11.4 of large records goes as well', async () => {
    const domain = await newDomain(service);
    const data = 'x'.repeat(60_000);
    for (let at = 0; at < 40; at++) await domain.newRecord({ name: domain.at(`t${at}`), type: 'TXT', data });
    clock.instant += 11 * DAY;
    await removeOld();
    expect(numbersOf(domain)).toEqual([]);
  });

  it('7.5, 11.4 of a deleted domain expires by a separate retention, counted from the deletion', async () => {
    const [deleted, kept] = [await newDomain(service), await newDomain(service)];
    clock.instant += 2 * DAY;
    expectStatus(await service.call('delete', `/v1/domains/${deleted.id}`), 200);
    clock.instant += 4 * DAY;
    await removeOld();
    expect(numbersOf(deleted)).toEqual([1, 2]);
    clock.instant += 2 * DAY;
    await removeOld();
    expect(numbersOf(deleted)).toEqual([]);
    expect(numbersOf(kept)).toEqual([1]);
  });
});
