import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { newDomain } from '../support/domain.js';
import { slowClaiming } from '../support/postgres/held.js';
import { startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

let receiver: WebhookReceiver;
let service: TestService;
beforeEach(async () => {
  receiver = await WebhookReceiver.listening();
  service = await startTestService(WEBHOOKS_ON);
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
});

it('19.10 a queue claimed while the service stops is left to the next claim', async () => {
  const client = service.as('acme');
  await newWebhook(client, { url: receiver.url(), actions: ['record.create'] });
  const claiming = slowClaiming(service.databaseFile);
  await (await newDomain(client)).newRecord();
  await until(claiming.isUnderWay);
  const stopped = service.running.get(Scheduler).stop();
  // Listeners end before webhooks.
  const listening = () => lookInto(service.databaseFile, ({ rows }) => rows('SELECT holder FROM listener_processes'));
  await until(() => listening().length === 0);
  claiming.goOn();
  await stopped;
  const claims = lookInto(service.databaseFile, ({ rows }) => rows('SELECT claim FROM webhook_queues'));
  expect(claims).toEqual([{ claim: null }]);
});
