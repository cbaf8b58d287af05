import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CloudEvent } from 'cloudevents';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import {
  deliveriesOf,
  type DeliveryBody,
  newWebhook,
  type Received,
  untilDeliveries,
  verified,
  type WebhookBody,
  WebhookReceiver,
  WEBHOOKS_ON,
} from '../support/webhook-receiver.js';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await WebhookReceiver.listening();
});
afterEach(() => receiver.stop());

interface Page {
  readonly deliveries: DeliveryBody[];
  readonly links: { readonly next?: string };
}

/** The same tenant has no webhook of an earlier test. */
let tenants = 0;
const newTenant = (service: TestService): Client => service.as(`tenant-${(tenants += 1)}`);
const webhookAt = (client: Client, fields: object = {}, path = '/') =>
  newWebhook(client, { url: receiver.url(path), ...fields });
const numbersOf = (received: readonly Received[]): number[] => received.map(({ event }) => event.data.number);

describe('webhooks (attack case 91)', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(WEBHOOKS_ON);
  });
  afterAll(async () => {
    audit(service.databaseFile);
    await service.stop();
  });

  it('19.7, 19.9 get a change as a CloudEvent that a Standard Webhooks library verifies', async () => {
    const client = newTenant(service);
    const { secret } = await webhookAt(client, { actions: ['record.create', 'record.update', 'record.delete'] });
    const domain = await newDomain(client);
    const made = await domain.newRecord();
    const updated = await bodyOf(domain.update(made.id, { data: '192.0.2.4' }));
    await answerOf(domain.delete(made.id));
    const received = await receiver.untilReceived(3);
    const [first] = received;
    expect(first!.headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': first!.event.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    for (const one of received) {
      expect(verified(secret, one)).toEqual(one.event);
      expect(new CloudEvent({ ...one.event }).validate()).toBe(true);
      expect(() => verified(`whsec_${randomBytes(32).toString('base64')}`, one)).toThrow();
      expect(() => verified(secret, { ...one, text: one.text.replace('192.0.2', '192.0.9') })).toThrow();
    }
    const { number } = first!.event.data;
    expect(received.map(({ event }) => event)).toMatchObject([
      { type: 'zonewright.record.created', data: { number, action: 'record.create', before: null, after: made } },
      { type: 'zonewright.record.updated', data: { number: number + 1, before: made, after: updated } },
      { type: 'zonewright.record.deleted', data: { number: number + 2, before: updated, after: null } },
    ]);
    expect(first!.event).toMatchObject({
      ...{ specversion: '1.0', id: `${domain.id}:${number}`, source: `/v1/domains/${domain.id}` },
      ...{ subject: `records/${made.id}`, time: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) },
      data: { domain: { id: domain.id, name: domain.name }, actor: { tenant_id: expect.any(String) } },
    });
  });

  it('19.7 get a domain as version 1 shows it', async () => {
    const client = newTenant(service);
    await webhookAt(client);
    const domain = await newDomain(client);
    await answerOf(client.call('put', `/v1/domains/${domain.id}`, { ttl: 600 }));
    await answerOf(client.call('delete', `/v1/domains/${domain.id}`));
    const received = await receiver.untilReceived(3);
    expect(received.map(({ event }) => event.type)).toEqual([
      ...['zonewright.domain.created', 'zonewright.domain.updated', 'zonewright.domain.deleted'],
    ]);
    expect(received[0]!.event.data).toMatchObject({ before: null, after: { ...domain } });
    expect(received[0]!.event).not.toHaveProperty('subject');
    expect(received[1]!.event.data).toMatchObject({ before: { ttl: domain.ttl }, after: { ttl: 600 } });
    expect(received[2]!.event.data.after).toBeNull();
  });

  it('19.8 get the selected events of their tenant, from their creation on', async () => {
    const client = newTenant(service);
    const stranger = newTenant(service);
    const [one, other] = [await newDomain(client), await newDomain(client)];
    await webhookAt(client, { domains: [one.name.toUpperCase()] }, '/by-name');
    await webhookAt(client, { domains: [other.id] }, '/by-id');
    await webhookAt(client, { actions: ['record.delete'] }, '/deletions');
    await webhookAt(client, { enabled: false }, '/disabled');
    await webhookAt(stranger, {}, '/stranger');
    const made = await one.newRecord();
    await other.newRecord();
    await answerOf(one.delete(made.id));
    await receiver.untilReceived(2, '/by-name');
    await receiver.untilReceived(1, '/by-id');
    await receiver.untilReceived(1, '/deletions');
    await answerOf(stranger.call('post', `/v1/webhooks/${(await webhookAt(stranger, {}, '/later')).id}/test`));
    await receiver.untilReceived(1, '/later');
    const types = (path: string) => receiver.at(path).map(({ event }) => event.type.replace('zonewright.', ''));
    expect(types('/by-name')).toEqual(['record.created', 'record.deleted']);
    expect(types('/by-id')).toEqual(['record.created']);
    expect(types('/deletions')).toEqual(['record.deleted']);
    expect(types('/disabled')).toEqual([]);
    expect(types('/stranger')).toEqual([]);
  });

  it('19.10 get the events of a zone in order, also after a failed attempt', async () => {
    const client = newTenant(service);
    const { id, secret } = await webhookAt(client);
    let failures = 0;
    receiver.answer = (response, { event }) => {
      const fails = event.data.number === 3 && (failures += 1) <= 2;
      if (fails && failures === 1) response.destroy();
      else response.writeHead(fails ? 500 : 200).end();
    };
    const domain = await newDomain(client);
    for (let label = 0; label < 10; label += 1) await domain.newRecord({ name: domain.at(`h${label}`) });
    const received = await receiver.untilReceived(13);
    expect(numbersOf(received)).toEqual([1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const again = received.filter(({ event }) => event.data.number === 3);
    expect(new Set(again.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const one of again) verified(secret, one);
    const delivered = await untilDeliveries(client, id, 'delivered', 11);
    expect(delivered.map(({ attempts }) => attempts)).toEqual([1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('19.9 are signed by two secrets during a secret rotation', async () => {
    const client = newTenant(service);
    const { id, secret } = await webhookAt(client);
    const { secret: second = '' } = await bodyOf<WebhookBody>(client.call('post', `/v1/webhooks/${id}/rotate`));
    await answerOf(client.call('post', `/v1/webhooks/${id}/test`));
    const [both] = await receiver.untilReceived(1);
    for (const valid of [secret, second])
      expect(verified(valid, both!)).toMatchObject({ type: 'zonewright.webhook.test' });
    const { secret: third = '' } = await bodyOf<WebhookBody>(client.call('post', `/v1/webhooks/${id}/rotate`));
    await answerOf(client.call('post', `/v1/webhooks/${id}/test`));
    const [, later] = await receiver.untilReceived(2);
    for (const valid of [second, third]) verified(valid, later!);
    expect(() => verified(secret, later!)).toThrow();
  });

  it('19.10 are disabled by 410, and enabled again by their tenant', async () => {
    const client = newTenant(service);
    const { id } = await webhookAt(client);
    receiver.answer = (response) => response.writeHead(410).end();
    const domain = await newDomain(client);
    const [dead] = await untilDeliveries(client, id, 'dead', 1);
    expect(dead).toMatchObject({ answer: 410, fault: 'HTTP status 410', attempts: 1 });
    const path = `/v1/webhooks/${id}`;
    expect(await bodyOf(client.call('get', path))).toMatchObject({ enabled: false, disabled_because: 'gone' });
    receiver.answer = (response) => response.writeHead(200).end();
    expect(await bodyOf(client.call('patch', path, { enabled: true }))).toMatchObject({ disabled_because: null });
    await domain.newRecord();
    const received = await receiver.untilReceived(2);
    expect(numbersOf(received)).toEqual([1, 2]);
  });

  it('19.10 are called again as late as they ask', async () => {
    const client = newTenant(service);
    const times: number[] = [];
    receiver.answer = (response) => {
      times.push(Date.now());
      response.writeHead(times.length === 1 ? 429 : 200, { 'Retry-After': '3' }).end();
    };
    const { id } = await webhookAt(client);
    await answerOf(client.call('post', `/v1/webhooks/${id}/test`));
    await untilDeliveries(client, id, 'delivered', 1);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(2900);
  });

  it('19.10 that take their time, or answer without end, hold up no others', async () => {
    const client = newTenant(service);
    const hanging = await webhookAt(client, {}, '/hanging');
    await webhookAt(client, {}, '/endless');
    await webhookAt(client, {}, '/prompt');
    receiver.answer = (response, { path }) => {
      if (path === '/prompt') response.writeHead(204).end();
      if (path !== '/endless') return;
      response.writeHead(200);
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
      response.once('close', () => clearInterval(timer));
    };
    const domains: TestDomain[] = [];
    for (let made = 0; made < 6; made += 1) domains.push(await newDomain(client));
    await receiver.untilReceived(6, '/prompt');
    await receiver.untilReceived(6, '/endless');
    // As many as are under way for one webhook.
    expect(receiver.at('/hanging')).toHaveLength(4);
    const late = await untilDeliveries(client, hanging.id, 'waiting', 6);
    expect(late.every(({ status }) => status === 'waiting')).toBe(true);
    await answerOf(client.call('delete', `/v1/webhooks/${hanging.id}`));
  });
});

describe('webhooks that are tried for no time', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ ...WEBHOOKS_ON, WEBHOOKS__RETRY_TIME: '0', WEBHOOKS__MAX_QUEUE: '5' });
  });
  afterAll(() => service.stop());

  it('19.10 leave dead letters, which are sent again one by one or all', async () => {
    const client = newTenant(service);
    const { id } = await webhookAt(client);
    const path = `/v1/webhooks/${id}/deliveries`;
    receiver.answer = (response) => response.writeHead(500).end();
    const domain = await newDomain(client);
    await domain.newRecord();
    await domain.newRecord({ name: domain.at('b') });
    const dead = await untilDeliveries(client, id, 'dead', 3);
    expect(dead[0]).toMatchObject({ status: 'dead', answer: 500, fault: 'HTTP status 500', domain_id: domain.id });
    expect(dead[0]).toMatchObject({ event_id: `${domain.id}:1`, event_type: 'zonewright.domain.created' });
    receiver.answer = (response) => response.writeHead(200).end();
    expect(await bodyOf<DeliveryBody>(client.call('post', `${path}/${dead[1]!.id}/replay`))).toMatchObject({
      ...{ id: dead[1]!.id, status: 'waiting', attempts: 0 },
    });
    await untilDeliveries(client, id, 'delivered', 1);
    expect(await bodyOf(client.call('post', `${path}/replay`))).toEqual({ replayed: 2 });
    await untilDeliveries(client, id, 'delivered', 3);
    expect(await deliveriesOf(client, id, '?status=dead')).toEqual([]);
    expect(numbersOf(receiver.received)).toEqual([1, 2, 3, 2, 1, 3]);
  });

  it('19.10 are listed in pages', async () => {
    const client = newTenant(service);
    const { id } = await webhookAt(client);
    const domain = await newDomain(client);
    for (const label of ['a', 'b', 'c', 'd']) await domain.newRecord({ name: domain.at(label) });
    const all = await untilDeliveries(client, id, 'delivered', 5);
    const first = await bodyOf<Page>(client.call('get', `/v1/webhooks/${id}/deliveries?limit=2&status=delivered`));
    const second = await bodyOf<Page>(client.call('get', first.links.next!.replace(service.url, '')));
    const last = await bodyOf<Page>(client.call('get', second.links.next!.replace(service.url, '')));
    expect([first, second, last].flatMap(({ deliveries }) => deliveries)).toEqual(all);
    expect(last.links.next).toBeUndefined();
    await answerOf(client.call('get', `/v1/webhooks/${id}/deliveries?status=lost`), 400);
  });

  it('19.10 report their backlog, and keep a limited number of dead letters', async () => {
    const client = newTenant(service);
    const { id } = await webhookAt(client);
    // The first is under way for as long as the test needs.
    receiver.answer = () => undefined;
    const domain = await newDomain(client);
    await receiver.untilReceived(1);
    const changes = Array.from({ length: 20 }, (_, label) => ({
      action: 'create',
      record: { name: domain.at(`h${label}`), type: 'A', data: '192.0.2.1' },
    }));
    await answerOf(client.call('post', `/v1/domains/${domain.id}/changes`, { changes }));
    const dead = await untilDeliveries(client, id, 'dead', 5);
    expect(dead.map(({ fault }) => fault)).toEqual(Array(5).fill('the queue was full'));
    expect(await deliveriesOf(client, id, '?status=waiting')).toHaveLength(5);
    expect((await bodyOf<WebhookBody>(client.call('get', `/v1/webhooks/${id}`))).overflowed_at).not.toBeNull();
    await answerOf(client.call('delete', `/v1/webhooks/${id}`));
  });
});
