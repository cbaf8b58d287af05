import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { answerOf, expectRefusal, expectStatus } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';
import { newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

const PER_MINUTE = 10;

let service: TestService;
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await WebhookReceiver.listening();
  service = await startTestService({ ...WEBHOOKS_ON, SERVICE_API__CHANGES_PER_MINUTE: String(PER_MINUTE) });
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
});

it('8.7, 19.8 webhook tests and webhook changes count as changes of the tenant', async () => {
  const client = service.as('busy');
  const { id } = await newWebhook(client, { url: receiver.url() });
  const test = () => client.call('post', `/v1/webhooks/${id}/test`);
  const answers = [];
  // Some come back meanwhile on a machine that is slow.
  for (let sent = 0; sent < 5 * PER_MINUTE; sent += 1) answers.push(await test());
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length).toBeGreaterThanOrEqual(PER_MINUTE - 1);
  expect(accepted.length).toBeLessThan(3 * PER_MINUTE);
  const refused = answers.find(({ status }) => status !== 200)!;
  expectRefusal(refused, { status: 429, type: 'rate_limited' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const refusals = [
    () => client.call('post', '/v1/webhooks', { url: receiver.url() }),
    () => client.call('patch', `/v1/webhooks/${id}`, { description: 'x' }),
    () => client.call('post', `/v1/webhooks/${id}/rotate`),
    () => client.call('post', `/v1/webhooks/${id}/deliveries/replay`),
    () => client.call('delete', `/v1/webhooks/${id}`),
  ];
  const statuses = await Promise.all(refusals.map(async (ask) => (await ask()).status));
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status !== 429 && status !== 200)).toEqual([]);
  // Reading is free, and others are not concerned.
  expectStatus(await client.call('get', `/v1/webhooks/${id}/deliveries`), 200);
  const { id: others } = await newWebhook(service.as('calm'), { url: receiver.url() });
  await answerOf(service.as('calm').call('post', `/v1/webhooks/${others}/test`));
});
