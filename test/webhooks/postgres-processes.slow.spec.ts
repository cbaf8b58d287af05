import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { clientsOf } from '../support/service.js';
import { numbersTo, WebhookProcesses } from '../support/webhook-processes.js';
import { newWebhook } from '../support/webhook-receiver.js';

const DOMAINS = 4;
const RECORDS = 20;

let processes: WebhookProcesses;
beforeEach(async () => {
  processes = await WebhookProcesses.inNewDirectory();
});
afterEach(() => processes.stop());

describe('a webhook of several processes on one PostgreSQL', () => {
  it('19.10 gets each change from one of them, in the order of each zone', async () => {
    const { receiver } = processes;
    const clients = [await processes.start(), await processes.start()].map(({ url }) => clientsOf(url).as('acme'));
    await newWebhook(clients[0]!, { url: receiver.url() });
    const domains: TestDomain[] = [];
    for (let made = 0; made < DOMAINS; made += 1) domains.push(await newDomain(clients[made % 2]!));
    await Promise.all(
      domains.map(async (domain) => {
        for (let label = 0; label < RECORDS; label += 1) {
          const through = domainOf(clients[label % 2]!, domain);
          await answerOf(through.create({ name: domain.at(`h${label}`), type: 'A', data: '192.0.2.1' }));
        }
      }),
    );
    const count = DOMAINS * (RECORDS + 1);
    await receiver.untilReceived(count);
    for (const domain of domains) expect(processes.numbersOf(domain)).toEqual(numbersTo(RECORDS + 1));
    expect(receiver.received).toHaveLength(count);
  });
});
