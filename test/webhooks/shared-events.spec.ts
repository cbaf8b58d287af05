import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { writerOptionsOf } from '../support/data-source.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { databaseFileIn, removeTestData, startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import {
  deliveriesOf,
  newWebhook,
  untilDeliveries,
  verified,
  type WebhookBody,
  WebhookReceiver,
  WEBHOOKS_ON,
} from '../support/webhook-receiver.js';

const WEBHOOKS = 20;
const VALUES = 8;
const LENGTH = 60_000;
/** An event has beside its value. */
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
      'SELECT COUNT(*) AS events, COALESCE(SUM(octet_length(body)), 0) AS octets FROM webhook_events',
    ),
  );
  return { events: Number(found!.events), octets: Number(found!.octets) };
}

/** Of random values, which no database makes small. */
async function store(domain: TestDomain, values: number, length = LENGTH): Promise<void> {
  for (let made = 0; made < values; made += 1) {
    const data = randomBytes(length / 2).toString('hex');
    await domain.newRecord({ name: domain.at(`h${made}`), type: 'TXT', data });
  }
}

it('19.10 what twenty webhooks of a tenant are to be sent is stored once, and weighs once', async () => {
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

it('19.10 what waited when each delivery had its own copy is sent', async () => {
  const client = service.as('before');
  const secrets = [];
  for (let made = 0; made < 2; made += 1) {
    const { secret } = await newWebhook(client, { url: receiver.url(`/hanging/${made}`), ...ACTIONS });
    secrets.push(secret);
  }
  await store(await newDomain(client), 2, 100);
  await until(() => stored().events === 2);
  await service.stop();
  const dataSource = await new DataSource(await writerOptionsOf(databaseFileIn(directory))).initialize();
  const hasEvents = async (): Promise<boolean> => {
    const runner = dataSource.createQueryRunner();
    return runner.hasTable('webhook_events').finally(() => runner.release());
  };
  while (await hasEvents()) await dataSource.undoLastMigration({ transaction: 'each' });
  await dataSource.destroy();
  receiver.received.length = 0;
  receiver.answer = (response) => response.writeHead(204).end();
  service = await startTestService(SETTINGS, directory);
  for (const [at, secret] of secrets.entries())
    for (const one of await receiver.untilReceived(2, `/hanging/${at}`))
      expect(verified(secret, one)).toMatchObject({ type: 'zonewright.record.created' });
});
