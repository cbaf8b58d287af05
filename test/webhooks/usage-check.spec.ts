import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { timeOrderedUuid } from '../../src/common/uuid.js';
import { Reads } from '../../src/database/reads.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import {
  UsageCheckRepository,
  type UsageMismatch,
  UsageCheckService,
} from '../../src/feed/webhooks/queue/usage-check.service.js';
import { startTestService, type TestService } from '../support/service.js';
import { type Row, storeRows } from '../support/store-rows.js';
import { WEBHOOKS_ON } from '../support/webhook-receiver.js';

/** Two of them are more than one statement sums up. */
const DELIVERIES = 3000;
const OCTETS = 10;
const WEBHOOKS = ['first', 'second', 'third'];

let service: TestService;
let repository: UsageCheckRepository;
beforeEach(async () => {
  service = await startTestService(WEBHOOKS_ON);
  repository = new UsageCheckRepository(service.running.get(Reads));
});
afterEach(() => service.stop());

function deliveriesOf(webhook: string): Row[] {
  return Array.from({ length: DELIVERIES }, (_, at) => ({
    ...{ id: timeOrderedUuid(at), webhook_id: webhook, zone_id: 'zone', number: at, event_id: `${webhook}:${at}` },
    ...{
      event_type: 'record',
      status: 'dead',
      attempts: 1,
      octets: OCTETS,
      retry_until: 0,
      created_at: at,
      settled_at: at + 1,
    },
  }));
}

function eventsOf(webhook: string): Row[] {
  const event = (at: number) => ({
    event_id: `${webhook}:${at}`,
    tenant_id: `of ${webhook}`,
    octets: OCTETS,
    content: '{}',
  });
  return Array.from({ length: DELIVERIES }, (_, at) => event(at));
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

it('17.4, 19.10 compares and repairs webhook queue sums in chunks, also without deliveries', async () => {
  storeRows(
    service.databaseFile,
    {
      webhook_deliveries: WEBHOOKS.flatMap(deliveriesOf),
      webhook_events: WEBHOOKS.flatMap(eventsOf),
      webhook_usage: [{ webhook_id: 'zz', waiting: 1, dead: 0, octets: 0, deleted: 0 }],
      webhook_tenants: [{ tenant_id: 'zz', octets: 4 }],
    },
    "DELETE FROM webhook_tenants WHERE tenant_id = 'nobody'",
  );
  expect(await gather(repository.wrongWebhooks())).toHaveLength(2);
  expect(await gather(repository.wrongTenants())).toHaveLength(2);

  const check = new UsageCheckService(repository, service.running.get(UnitOfWork));
  const octets = DELIVERIES * OCTETS;
  const expected: UsageMismatch[] = [
    ...WEBHOOKS.flatMap((key): UsageMismatch[] => [
      { counter: 'webhook_usage.dead', key, stored: 0, counted: DELIVERIES },
      { counter: 'webhook_usage.octets', key, stored: 0, counted: octets },
    ]),
    { counter: 'webhook_usage.waiting', key: 'zz', stored: 1, counted: 0 },
    ...WEBHOOKS.map((webhook): UsageMismatch => ({
      ...{ counter: 'webhook_tenants.octets', key: `of ${webhook}`, stored: 0, counted: octets },
    })),
    { counter: 'webhook_tenants.octets', key: 'zz', stored: 4, counted: 0 },
  ];
  expect(await gather(check.check(true))).toEqual(expected);
  expect(await gather(check.check(false))).toEqual([]);
});
