import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { runCommand } from '../support/process.js';
import {
  type Client,
  databaseFileIn,
  environmentOf,
  removeTestData,
  startTestService,
  type TestService,
} from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { isPostgresUrl, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { deliveriesOf, newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';

const WEBHOOKS = 20;
const DEAD = 60_000;
/** Counting them takes several times as long on an idle machine; in milliseconds. */
const LEEWAY = 30;
const CALLS = 15;
const SETTINGS = { ...WEBHOOKS_ON, WEBHOOKS__RETRY_TIME: '0', WEBHOOKS__MAX_QUEUE_SIZE: '1 GB' };

let directory: string;
let receiver: WebhookReceiver;
let service: TestService;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-webhook-sums-'));
  receiver = await WebhookReceiver.listening();
  service = await startTestService(SETTINGS, directory);
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
  audit(databaseFileIn(directory));
  await removeTestData(directory);
});

/** Inserts dead letters without the service, each with a separate event, and repairs their sums like an operator. */
async function storeDeadLetters(webhookIds: readonly string[], total: number, zones: number): Promise<void> {
  const database = databaseFileIn(directory);
  const numbers = isPostgresUrl(database)
    ? `generate_series(0, ${total - 1}) AS n(i)`
    : `(WITH RECURSIVE m(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM m WHERE i < ${total - 1}) SELECT i FROM m) n`;
  const webhookId = `CASE n.i % ${webhookIds.length} ${webhookIds.map((id, at) => `WHEN ${at} THEN '${id}'`).join(' ')} END`;
  storeRows(
    database,
    {},
    "INSERT INTO webhook_events (event_id, tenant_id, octets, content) SELECT 'e' || n.i, 'busy', 2, '{}' FROM " +
      numbers,
  );
  storeRows(
    database,
    {},
    'INSERT INTO webhook_deliveries (id, webhook_id, zone_id, number, event_id, event_type, octets, status, attempts,' +
      ` retry_until, created_at, settled_at) SELECT 'd' || n.i, ${webhookId}, 'z' || n.i % ${zones}, n.i, 'e' || n.i, 'record',` +
      ` 2, 'dead', 1, 0, 0, ${Date.now() * 1000} FROM ${numbers}`,
  );
  expect(await runCommand(directory, environmentOf(directory), ['check', '--fix'])).toMatchObject({ code: 0 });
  audit(database);
}

it('19.10 the queue size of a tenant is not recounted for each change', async () => {
  const [busy, calm] = [service.as('busy'), service.as('calm')];
  const ids: string[] = [];
  for (let made = 0; made < WEBHOOKS; made += 1) ids.push((await newWebhook(busy, { url: receiver.url() })).id);
  await storeDeadLetters(ids, DEAD, 1);
  const { id } = await newWebhook(calm, { url: receiver.url() });
  const timeOf = async (client: Client, webhookId: string): Promise<number> => {
    const start = performance.now();
    await answerOf(client.call('post', `/v1/webhooks/${webhookId}/test`));
    return performance.now() - start;
  };
  // In turns, so that both have the same machine.
  const times = { busy: [] as number[], calm: [] as number[] };
  for (let made = 0; made < CALLS; made += 1) {
    times.busy.push(await timeOf(busy, ids[0]!));
    times.calm.push(await timeOf(calm, id));
  }
  const [ofBusy, ofCalm] = [Math.min(...times.busy), Math.min(...times.calm)];
  expect(ofBusy).toBeLessThan(3 * ofCalm + LEEWAY);
});

it('19.10 all dead letters are replayed, and those of a deleted webhook are deleted', async () => {
  const dead = 900;
  const client = service.as('busy');
  // Nothing is sent, so that all deliveries remain.
  const { id } = await newWebhook(client, { url: receiver.url(), enabled: false });
  const other = await newWebhook(client, { url: receiver.url() });
  await storeDeadLetters([id, other.id], 2 * dead, 300);
  const path = `/v1/webhooks/${id}/deliveries/replay`;
  expect(await bodyOf(client.call('post', path))).toMatchObject({ replayed: dead });
  const count = (table: string, condition: string): number =>
    Number(
      lookInto(service.databaseFile, ({ rows }) =>
        rows<{ total: unknown }>(`SELECT COUNT(*) AS total FROM ${table} WHERE webhook_id = '${id}' AND ${condition}`),
      )[0]!.total,
    );
  expect(count('webhook_deliveries', "status = 'waiting'")).toBe(dead);
  audit(service.databaseFile);
  await answerOf(client.call('delete', `/v1/webhooks/${id}`));
  // Soon, and not with the cleanup of the next minute.
  const tables = ['webhook_deliveries', 'webhook_queues', 'webhook_usage'];
  await until(() => tables.every((table) => count(table, '1 = 1') === 0));
  expect(await deliveriesOf(client, other.id, '?status=dead&limit=5')).toHaveLength(5);
});
