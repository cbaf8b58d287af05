import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';
import { EndingServers, HTTP_ENDS, type SocketEnd, TLS_ENDS } from '../support/socket-ends.js';
import { until } from '../support/until.js';
import { deliveriesOf, newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

/** Milliseconds that a busy machine may need for attempts of one second each. */
const PATIENCE = 30_000;

let service: TestService;
let servers: EndingServers;
let receiver: WebhookReceiver;
beforeEach(async () => {
  servers = new EndingServers();
  receiver = await WebhookReceiver.listening();
  service = await startTestService({
    ...WEBHOOKS_ON,
    WEBHOOKS__MAX_WEBHOOKS: '1000',
    WEBHOOKS__REQUEST_TIMEOUT: '1',
  });
});
afterEach(async () => {
  await service.stop();
  await servers.close();
  await receiver.stop();
});

const ENDS: readonly (readonly [scheme: string, end: SocketEnd])[] = [
  ...HTTP_ENDS.map((end) => ['http', end] as const),
  ...TLS_ENDS.map((end) => ['https', end] as const),
];

/** A webhook that is sent a test, to a server of that end. */
async function testedWebhook(scheme: string, end: SocketEnd): Promise<string> {
  const url = `${scheme}://127.0.0.1:${await servers.listen(end)}/`;
  const { id } = await newWebhook(service, { url });
  await answerOf(service.call('post', `/v1/webhooks/${id}/test`));
  return id;
}

it('19.10 every socket failure fails the call in bounded time, and the call is repeated', async () => {
  const webhooks = await Promise.all(
    ENDS.map(async ([scheme, end]) => ({ what: `${scheme} ${end.what}`, id: await testedWebhook(scheme, end) })),
  );
  const states = () =>
    Promise.all(
      webhooks.map(async ({ what, id }) => {
        const [delivery] = await deliveriesOf(service, id);
        return { what, attempts: delivery?.attempts ?? 0, status: delivery?.status, fault: delivery?.fault ?? '' };
      }),
    );
  const missing: string[] = [];
  await until(async () => {
    const late = (await states()).filter(({ attempts }) => attempts < 2);
    missing.splice(0, Infinity, ...late.map(({ what }) => what));
    return missing.length === 0;
  }, PATIENCE).catch(() => undefined);
  expect(missing).toEqual([]);
  for (const { what, status, fault } of await states()) {
    expect({ what, status }).toEqual({ what, status: 'waiting' });
    expect(fault).toMatch(
      /^(the connection failed|no answer within 1 seconds|HTTP status (101|200)|too many informational responses)/,
    );
  }
  const { id } = await newWebhook(service, { url: receiver.url() });
  await answerOf(service.call('post', `/v1/webhooks/${id}/test`));
  await receiver.untilReceived(1);
});

it('18.3, 19.10 a stop waits for none of them', async () => {
  await Promise.all(ENDS.map(([scheme, end]) => testedWebhook(scheme, end)));
  await until(() => servers.open >= ENDS.length / 4);
  const begin = performance.now();
  await service.running.stop();
  expect(performance.now() - begin).toBeLessThan(15_000);
});
