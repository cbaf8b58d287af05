import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ChangeDispatcher } from '../../src/feed/listeners/change-dispatcher.js';
import { Scheduler } from '../../src/background/scheduler.js';
import { answerOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { lookInto } from '../support/stored.js';
import { newWebhook, untilDeliveries, verified, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

const ACTIONS = { actions: ['record.create'] };

let receiver: WebhookReceiver;
let service: AssembledService;
beforeEach(async () => {
  receiver = await WebhookReceiver.listening();
  receiver.answer = (response, { path }) => response.writeHead(path === '/broken' ? 500 : 204).end();
  service = await assembleTestService({ settings: { ...WEBHOOKS_ON, WEBHOOKS__RETRY_TIME: '0' } });
  service.get(ChangeDispatcher).addTasks(service.get(Scheduler));
});
afterEach(async () => {
  audit(service.databaseFile);
  await service.stop();
  await receiver.stop();
});

const storedEvents = (): unknown[] =>
  lookInto(service.databaseFile, ({ rows }) => rows('SELECT event_id FROM webhook_events'));

async function store(domain: TestDomain, records: number): Promise<void> {
  for (let made = 0; made < records; made += 1) await domain.newRecord({ name: domain.at(`h${made}`) });
}

it('19.10 an event is kept while one webhook needs it, and goes then', async () => {
  const client = service.as('some');
  const prompt = await newWebhook(client, { url: receiver.url('/prompt'), ...ACTIONS });
  const broken = await newWebhook(client, { url: receiver.url('/broken'), ...ACTIONS });
  const clean = () => service.get(Scheduler).runNow('webhooks.retention');
  await store(await newDomain(client), 2);
  await untilDeliveries(client, prompt.id, 'delivered', 2);
  await untilDeliveries(client, broken.id, 'dead', 2);
  await answerOf(client.call('post', `/v1/webhooks/${prompt.id}/test`));
  await untilDeliveries(client, prompt.id, 'delivered', 3);
  await clean();
  expect(storedEvents()).toHaveLength(2);
  receiver.answer = (response) => response.writeHead(204).end();
  await answerOf(client.call('post', `/v1/webhooks/${broken.id}/deliveries/replay`));
  const received = await receiver.untilReceived(4, '/broken');
  for (const one of received) expect(verified(broken.secret, one)).toMatchObject({ type: 'zonewright.record.created' });
  await untilDeliveries(client, broken.id, 'delivered', 2);
  await clean();
  expect(storedEvents()).toEqual([]);
});

it('19.10 the stored events of a deleted webhook are deleted with it', async () => {
  const client = service.as('leaving');
  const { id } = await newWebhook(client, { url: receiver.url('/broken'), ...ACTIONS });
  await store(await newDomain(client), 2);
  await untilDeliveries(client, id, 'dead', 2);
  await answerOf(client.call('delete', `/v1/webhooks/${id}`));
  await service.get(Scheduler).runNow('webhooks.retention');
  expect(storedEvents()).toEqual([]);
});
