import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  deliveriesOf,
  newWebhook,
  untilDeliveries,
  type WebhookBody,
  WebhookReceiver,
  WEBHOOKS_ON,
} from '../support/webhook-receiver.js';

/** Records of 3 kB each as an event; the queue limit is 40. */
const RECORDS = 20;

let service: TestService;
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await WebhookReceiver.listening();
  receiver.answer = (response, { path }) => {
    if (path === '/prompt') response.writeHead(204).end();
    if (path === '/broken') response.writeHead(500).end();
  };
  service = await startTestService({
    ...WEBHOOKS_ON,
    WEBHOOKS__MAX_QUEUE_SIZE: '40 kB',
    WEBHOOKS__REQUEST_TIMEOUT: '60',
    WEBHOOKS__RETRY_TIME: '0',
  });
});
afterEach(async () => {
  audit(service.databaseFile);
  await service.stop();
  await receiver.stop();
});

it('19.10 a webhook whose target hangs has half of the octets of its tenant, and other webhooks get their events', async () => {
  const client = service.as('busy');
  const hanging = await newWebhook(client, { url: receiver.url('/hanging') });
  await newWebhook(client, { url: receiver.url('/prompt') });
  const domain = await newDomain(client);
  for (let made = 0; made < RECORDS; made += 1) {
    await domain.newRecord({ name: domain.at(`h${made}`), type: 'TXT', data: 'x'.repeat(2000) });
    await receiver.untilReceived(made + 2, '/prompt');
  }
  const waiting = await deliveriesOf(client, hanging.id);
  // At most half of them, and at least that less one event and the first, which is small.
  expect(waiting.length).toBeGreaterThanOrEqual(5);
  expect(waiting.length).toBeLessThanOrEqual(9);
  expect((await bodyOf<WebhookBody>(client.call('get', `/v1/webhooks/${hanging.id}`))).overflowed_at).not.toBeNull();
  // Another tenant has a separate octet limit.
  const other = service.as('calm');
  const { id } = await newWebhook(other, { url: receiver.url('/prompt') });
  await answerOf(other.call('post', `/v1/webhooks/${id}/test`));
  await untilDeliveries(other, id, 'delivered', 1);
});

it('19.10 pending events displace dead letters, the oldest first', async () => {
  const client = service.as('broken');
  const { id } = await newWebhook(client, { url: receiver.url('/broken'), actions: ['record.create'] });
  const domain = await newDomain(client);
  for (let made = 0; made < RECORDS; made += 1) {
    await domain.newRecord({ name: domain.at(`h${made}`), type: 'TXT', data: 'x'.repeat(2000) });
    await receiver.untilReceived(made + 1, '/broken');
  }
  const dead = await deliveriesOf(client, id);
  expect(dead.length).toBeLessThan(RECORDS);
  expect((await bodyOf<WebhookBody>(client.call('get', `/v1/webhooks/${id}`))).overflowed_at).toBeNull();
});

it('19.10 a test above the limit is refused', async () => {
  await service.stop();
  service = await startTestService({ ...WEBHOOKS_ON, WEBHOOKS__MAX_QUEUE_SIZE: '100' });
  const { id } = await newWebhook(service, { url: receiver.url('/hanging') });
  expectRefusal(await service.call('post', `/v1/webhooks/${id}/test`), { status: 413, type: 'over_quota' });
});
