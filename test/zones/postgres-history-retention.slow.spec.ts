import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { HistoryRetentionService } from '../../src/zones/journal/history-retention.service.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { newDomain } from '../support/domain.js';

let service: AssembledService;
beforeAll(async () => {
  service = await assembleTestService({ settings: { SERVICE_CENTRAL__HISTORY_DAYS: '10' } });
});
afterAll(() => service.stop());

it('11.4 domains without expired entries cost no separate round trips', async () => {
  await Promise.all(Array.from({ length: 30 }, () => newDomain(service)));
  const query = jest.spyOn(pg.Client.prototype, 'query');
  await service.get(HistoryRetentionService).removeOld();
  const sent = query.mock.calls.map(([one]: unknown[]) =>
    typeof one === 'string' ? one : (one as pg.QueryConfig).text,
  );
  query.mockRestore();
  expect(sent.filter((text) => text.includes('FROM journal')).length).toBeLessThan(10);
});
