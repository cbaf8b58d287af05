import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DeliveryLedger } from '../../src/feed/webhooks/queue/delivery-ledger.js';
import { queueScope } from '../../src/feed/webhooks/queue/delivery-queue.js';
import type { DeliveryDraft } from '../../src/feed/webhooks/delivery.repository.js';
import { UsageDelta } from '../../src/feed/webhooks/queue/webhook-usage.repository.js';
import type { Transaction } from '../../src/database/transaction.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { newWebhook, WEBHOOKS_ON } from '../support/webhook-receiver.js';

let service: AssembledService;
beforeEach(async () => {
  service = await assembleTestService({ settings: WEBHOOKS_ON });
});
afterEach(async () => {
  audit(service.databaseFile);
  await service.stop();
});

const EVENT = { eventId: 'domain:1', tenantId: 'acme', octets: 2, content: '{}' };
const DRAFT: Omit<DeliveryDraft, 'id' | 'webhookId'> = {
  ...{ zoneId: 'domain', number: 1, eventId: EVENT.eventId, eventType: 'record', octets: 2 },
  ...{ status: 'dead', fault: null, createdAt: Date.now() * 1000, retryUntil: 0 },
};

const rows = <Row>(sql: string): Row[] => lookInto(service.databaseFile, (stored) => stored.rows<Row>(sql));
const storedEvents = (): unknown[] => rows('SELECT event_id AS "eventId" FROM webhook_events');
const untilSomebodyWaits = (): Promise<void> =>
  until(() => rows('SELECT 1 FROM pg_locks WHERE NOT granted').length > 0);

/** As another process would do it at the same time. */
function elsewhere(place: string, work: (tx: Transaction, change: UsageDelta) => Promise<void>): Promise<void> {
  return service.database.unitOfWork.run(async (tx) => {
    const change = new UsageDelta();
    await work(tx, change);
    await service.get(DeliveryLedger).write(tx, change);
  }, queueScope(place));
}

const added = (id: string, webhookId: string) => (tx: Transaction, change: UsageDelta) =>
  service.get(DeliveryLedger).add(tx, change, [{ ...DRAFT, id, webhookId }], [EVENT]);
const delivered = (id: string) => (tx: Transaction, change: UsageDelta) => {
  const attempt = { id, status: 'delivered', attempts: 1, answer: 204, fault: null } as const;
  return service.get(DeliveryLedger).settle(tx, change, attempt, Date.now() * 1000);
};

it('19.10 an event after its last delivery stays while another process adds deliveries of it', async () => {
  const client = service.as('acme');
  const [one, other] = [
    await newWebhook(client, { url: 'http://127.0.0.1:9/' }),
    await newWebhook(client, { url: 'http://127.0.0.1:9/' }),
  ];
  await elsewhere('1', added('first', one.id));
  let settling: Promise<void> | undefined;
  await elsewhere('1', async (tx, change) => {
    await added('second', other.id)(tx, change);
    settling = elsewhere('2', delivered('first'));
    await untilSomebodyWaits();
  });
  await settling;
  expect(storedEvents()).toEqual([{ eventId: EVENT.eventId }]);
  await elsewhere('1', delivered('second'));
  expect(storedEvents()).toEqual([]);
});

it('19.10 an event is deleted when its last two deliveries finish concurrently', async () => {
  const client = service.as('acme');
  for (const id of ['first', 'second'])
    await elsewhere('1', added(id, (await newWebhook(client, { url: 'http://127.0.0.1:9/' })).id));
  let settling: Promise<void> | undefined;
  await elsewhere('1', async (tx, change) => {
    await delivered('first')(tx, change);
    settling = elsewhere('2', delivered('second'));
    await untilSomebodyWaits();
  });
  await settling;
  expect(storedEvents()).toEqual([]);
});
