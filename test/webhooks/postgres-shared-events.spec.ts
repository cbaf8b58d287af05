import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type DeliveryDraft, DeliveryRepository } from '../../src/webhooks/delivery.repository.js';
import { WebhookEventRepository } from '../../src/webhooks/webhook-event.repository.js';
import { WebhooksCleanup } from '../../src/webhooks/webhooks-cleanup.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { lookInto } from '../support/stored.js';
import { newWebhook, WEBHOOKS_ON } from '../support/webhook-receiver.js';

let service: AssembledService;
beforeEach(async () => {
  service = await assembleTestService({ settings: WEBHOOKS_ON });
});
afterEach(() => service.stop());

const EVENT = { eventId: 'domain:1', tenantId: 'acme', octets: 2, body: '{}' };
const DRAFT: Omit<DeliveryDraft, 'webhookId'> = {
  ...{ id: 'delivery', zoneId: 'domain', number: 1, eventId: EVENT.eventId, eventType: 'record', octets: 2 },
  ...{ status: 'dead', fault: null, createdAt: Date.now() * 1000, retryUntil: 0 },
};

const storedEvents = (): { eventId: string }[] =>
  lookInto(service.databaseFile, ({ rows }) =>
    rows<{ eventId: string }>('SELECT event_id AS "eventId" FROM webhook_events'),
  );

it('19.10 an event that nobody needs stays where another process is about to add deliveries of it', async () => {
  const [events, deliveries] = [service.get(WebhookEventRepository), service.get(DeliveryRepository)];
  const cleanup = service.get(WebhooksCleanup);
  const { unitOfWork } = service.database;
  const { id: webhookId } = await newWebhook(service.as('acme'), { url: 'http://127.0.0.1:9/' });
  await unitOfWork.run((tx) => events.insert(tx, [EVENT]));
  await unitOfWork.run(async (tx) => {
    await events.insert(tx, [EVENT]);
    await cleanup.run();
    await deliveries.insert(tx, [{ ...DRAFT, webhookId }]);
  });
  await cleanup.run();
  expect(storedEvents()).toEqual([{ eventId: EVENT.eventId }]);
});

it('19.10 and goes where nobody does', async () => {
  await service.database.unitOfWork.run((tx) => service.get(WebhookEventRepository).insert(tx, [EVENT]));
  await service.get(WebhooksCleanup).run();
  expect(storedEvents()).toEqual([]);
});
