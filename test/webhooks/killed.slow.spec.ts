import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { clientsOf } from '../support/service.js';
import { until } from '../support/until.js';
import { numbersTo, WebhookProcesses } from '../support/webhook-processes.js';
import { newWebhook, verified } from '../support/webhook-receiver.js';

const DOMAINS = 4;
const RECORDS = 100;
/** Another process soon takes over pending deliveries. */
const SETTINGS = { WEBHOOKS__REQUEST_TIMEOUT: '1' };

let processes: WebhookProcesses;
beforeEach(async () => {
  processes = await WebhookProcesses.inNewDirectory();
});
afterEach(() => processes.stop());

describe('a webhook whose service is killed', () => {
  it('19.2, 19.10 gets every change at least once, in the order of each zone', async () => {
    const { receiver } = processes;
    const first = await processes.start(SETTINGS);
    const client = clientsOf(first.url).as('acme');
    const { secret } = await newWebhook(client, { url: receiver.url() });
    // So that something is left to send when it is killed.
    receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 10);
    const domains: TestDomain[] = [];
    for (let made = 0; made < DOMAINS; made += 1) domains.push(await newDomain(client));
    for (const domain of domains) {
      const changes = Array.from({ length: RECORDS }, (_, label) => ({
        action: 'create',
        record: { name: domain.at(`h${label}`), type: 'A', data: '192.0.2.1' },
      }));
      await answerOf(client.call('post', `/v1/domains/${domain.id}/changes`, { changes }));
    }
    await receiver.untilReceived(DOMAINS * 10);
    await processes.kill(first);
    expect(receiver.received.length).toBeLessThan(DOMAINS * (RECORDS + 1));
    await processes.start(SETTINGS);
    const all = numbersTo(RECORDS + 1);
    for (const domain of domains) {
      await until(() => new Set(processes.numbersOf(domain)).size === all.length);
      // Where one came again, it came right behind itself.
      expect(processes.numbersOf(domain).filter((number, at, numbers) => number !== numbers[at - 1])).toEqual(all);
    }
    for (const one of receiver.received) verified(secret, one);
  });
});
