import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Client, databaseFileIn, removeTestData, startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import {
  deliveriesOf,
  newWebhook,
  type Received,
  untilDeliveries,
  verified,
  type WebhookBody,
  WebhookReceiver,
  WEBHOOKS_ON,
} from '../support/webhook-receiver.js';

const WEBHOOKS = 20;
const VALUES = 8;
const LENGTH = 60_000;
/** Octets of an event without its value. */
const OTHER_OCTETS = 2000;
const SETTINGS = {
  ...WEBHOOKS_ON,
  WEBHOOKS__REQUEST_TIMEOUT: '60',
  WEBHOOKS__RETRY_TIME: '0',
  WEBHOOKS__MAX_QUEUE_SIZE: '1 MB',
};
const ACTIONS = { actions: ['record.create'] };

let directory: string;
let receiver: WebhookReceiver;
let service: TestService;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-webhook-events-'));
  receiver = await WebhookReceiver.listening();
  // It hangs.
  receiver.answer = () => undefined;
  service = await startTestService(SETTINGS, directory);
});
afterEach(async () => {
  audit(service.databaseFile);
  await service.stop();
  await receiver.stop();
  await removeTestData(directory);
});

interface Stored {
  readonly events: number;
  readonly octets: number;
}

function stored(): Stored {
  const [found] = lookInto(databaseFileIn(directory), ({ rows }) =>
    rows<Record<keyof Stored, unknown>>(
      'SELECT COUNT(*) AS events, COALESCE(SUM(octet_length(content)), 0) AS octets FROM webhook_events',
    ),
  );
  return { events: Number(found!.events), octets: Number(found!.octets) };
}

/** Random values, which no database compresses. */
async function store(domain: TestDomain, values: number, length = LENGTH): Promise<void> {
  for (let made = 0; made < values; made += 1) {
    const data = randomBytes(length / 2).toString('hex');
    await domain.newRecord({ name: domain.at(`h${made}`), type: 'TXT', data });
  }
}

it('19.10 an event for twenty webhooks of a tenant is stored once and counted once', async () => {
  const client = service.as('busy');
  const webhooks: WebhookBody[] = [];
  for (let made = 0; made < WEBHOOKS; made += 1)
    webhooks.push(await newWebhook(client, { url: receiver.url('/hanging'), ...ACTIONS }));
  const domain = await newDomain(client);
  await store(domain, VALUES);
  const last = webhooks.at(-1)!;
  await untilDeliveries(client, last.id, 'waiting', VALUES);
  const { events, octets } = stored();
  expect(events).toBe(VALUES);
  expect(octets).toBeLessThan(VALUES * (LENGTH + OTHER_OCTETS));
  for (const { id } of webhooks) {
    expect(await deliveriesOf(client, id, '?status=waiting')).toHaveLength(VALUES);
    expect((await bodyOf<WebhookBody>(client.call('get', `/v1/webhooks/${id}`))).overflowed_at).toBeNull();
  }
});

/** Stored dead letters of two webhooks with failing targets. */
async function deadLetters(
  client: Client,
): Promise<{ readonly id: string; readonly path: string; readonly secret: string }[]> {
  receiver.answer = (response) => response.writeHead(500).end();
  const webhooks = [];
  for (const path of ['/one', '/other'])
    webhooks.push({ path, ...(await newWebhook(client, { url: receiver.url(path), ...ACTIONS })) });
  await store(await newDomain(client), 2, 100);
  for (const { id } of webhooks) await untilDeliveries(client, id, 'dead', 2);
  return webhooks;
}

/** Messages of a webhook after all its dead letters are replayed. */
async function replayed(client: Client, id: string, path: string): Promise<Received[]> {
  const before = receiver.at(path).length;
  receiver.answer = (response) => response.writeHead(204).end();
  await answerOf(client.call('post', `/v1/webhooks/${id}/deliveries/replay`));
  return (await receiver.untilReceived(before + 2, path)).slice(before);
}

const textsOf = (received: readonly Received[]): string[] => received.map(({ text }) => text);

it('19.10 every attempt sends the same octets, also where the configuration has changed meanwhile', async () => {
  const webhooks = await deadLetters(service.as('before'));
  const sent = textsOf(receiver.at('/one'));
  await service.stop();
  service = await startTestService(
    { ...SETTINGS, SERVICE_API__API_BASE_URI: 'https://dns.example.org', SERVICE_API__EXPIRING_RECORDS: 'True' },
    directory,
  );
  const client = service.as('before');
  for (const { id, path } of webhooks) expect(textsOf(await replayed(client, id, path))).toEqual(sent);
  const { secret } = await newWebhook(client, { url: receiver.url('/later'), ...ACTIONS });
  await store(await newDomain(client), 1, 100);
  const [later] = await receiver.untilReceived(1, '/later');
  expect(verified(secret, later!)).toMatchObject({
    source: expect.stringMatching(/^https:\/\/dns\.example\.org\/v1\/domains\//),
    data: { after: { expires_at: null } },
  });
});
