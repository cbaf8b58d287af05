import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, freshName } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { newWebhook, type WebhookBody, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

let service: TestService;
let receiver: WebhookReceiver;
let client: Client;

beforeAll(async () => {
  service = await startTestService(WEBHOOKS_ON);
  receiver = await WebhookReceiver.listening();
  client = service.as('acme');
});
afterAll(async () => {
  await receiver.stop();
  audit(service.databaseFile);
  await service.stop();
});

describe('webhooks with labels', () => {
  it('19.17 get events of domains with all of their labels, and show the labels', async () => {
    const labels = { team: 'web' };
    const made: WebhookBody & { labels?: object } = await newWebhook(client, { url: receiver.url('/'), labels });
    expect(made.labels).toEqual(labels);
    const newZone = async (of: object) =>
      domainOf(
        client,
        await bodyOf<DomainBody>(
          client.call('post', '/v1/domains', { name: freshName(), email: 'a@example.org', labels: of }),
        ),
      );
    const [zone, other] = [await newZone({ team: 'web', env: 'prod' }), await newZone({ team: 'dns' })];
    await other.newRecord();
    const { id, type, name } = await zone.newRecord();
    const label = { action: 'label', name, type, labels: { owner: 'deploy' } };
    await answerOf(client.call('post', `/v1/domains/${zone.id}/changes`, { changes: [label] }));
    const received = await receiver.untilReceived(3);
    expect(received.map(({ event }) => event.type)).toEqual([
      'zonewright.domain.created',
      'zonewright.record.created',
      'zonewright.domain.updated',
    ]);
    for (const { event } of received)
      expect(event.data.domain).toEqual({ id: zone.id, name: zone.name, labels: { team: 'web', env: 'prod' } });
    expect(received[1]!.event).toMatchObject({ subject: `records/${id}` });
    expect(received[2]!.event.data).toMatchObject({
      record_set: { name, type, before: {}, after: { owner: 'deploy' } },
    });
    const path = `/v1/webhooks/${made.id}`;
    expect(await bodyOf(client.call('patch', path, { labels: {} }))).not.toHaveProperty('labels');
    await refusalOf(client.call('patch', path, { labels: { 'a b': '' } }), 400, 'invalid_object');
  });
});
