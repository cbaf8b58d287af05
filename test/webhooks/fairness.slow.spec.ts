import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';
import { until } from '../support/until.js';

const TENANTS = 4;
/** Webhooks of each tenant; together they exceed the concurrent calls of a process. */
const WEBHOOKS = 20;
const DOMAINS = 4;
/** In seconds: as long as their calls hang. */
const HANGING = 60;

let service: TestService;
let receiver: WebhookReceiver;
let hanging: WebhookReceiver;
beforeEach(async () => {
  [receiver, hanging] = [await WebhookReceiver.listening(), await WebhookReceiver.listening()];
  hanging.answer = () => undefined;
  service = await startTestService({ ...WEBHOOKS_ON, WEBHOOKS__REQUEST_TIMEOUT: String(HANGING) });
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
  await hanging.stop();
});

it('19.10 hanging webhooks of four tenants delay no other tenant, and no stop', async () => {
  for (let tenant = 0; tenant < TENANTS; tenant += 1) {
    const client = service.as(`hanging-${tenant}`);
    for (let made = 0; made < WEBHOOKS; made += 1) await newWebhook(client, { url: hanging.url() });
    for (let made = 0; made < DOMAINS; made += 1) await newDomain(client);
  }
  // Each of the four has a fifth of the 256 places, and so has the next one.
  await until(() => hanging.received.length >= 204);
  const other = service.as('prompt');
  await newWebhook(other, { url: receiver.url() });
  const began = performance.now();
  await newDomain(other);
  await receiver.untilReceived(1);
  expect(performance.now() - began).toBeLessThan((HANGING * 1000) / 3);
  const stopped = performance.now();
  await service.running.stop();
  expect(performance.now() - stopped).toBeLessThan(10_000);
});
