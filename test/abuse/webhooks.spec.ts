import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import type { Client, Settings } from '../support/service.js';
import { newWebhook, WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';
import { type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const TENANTS = 4;
const WEBHOOKS = 20;
const DOMAINS = 4;
const ROUNDS = inForm(1, 4);
/** Longest delay in milliseconds for another tenant's webhook; hanging targets time out after three times that. */
const LONGEST_DELAY = 5000;
/** Defaults (15 s for a call), except the domain quota. */
const SETTINGS: Settings = {
  ...WEBHOOKS_ON,
  WEBHOOKS__REQUEST_TIMEOUT: '15',
  DEFAULT__QUOTA_ZONES: String(DOMAINS * ROUNDS),
};

/** Takes every connection, and does the same with each. */
class HostileTarget {
  asked = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(manners: (socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.asked += 1;
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.sockets.delete(socket));
      manners(socket);
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

const TARGETS: readonly (readonly [what: string, manners: (socket: Socket) => void])[] = [
  [
    'switch protocols',
    (socket) =>
      void socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: none\r\n\r\n'),
      ),
  ],
  ['hang', (socket) => void socket.resume()],
];

describe('webhooks of four tenants', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await WebhookReceiver.listening();
  });
  afterEach(() => receiver.stop());

  async function hostileRound(client: Client, url: string): Promise<void> {
    const webhooks = await Promise.all(Array.from({ length: WEBHOOKS }, () => newWebhook(client, { url })));
    for (let made = 0; made < DOMAINS; made += 1) await newDomain(client);
    if (ROUNDS > 1) for (const { id } of webhooks) await answerOf(client.call('delete', `/v1/webhooks/${id}`));
  }

  /** Milliseconds until another tenant receives a change. */
  async function promptDelay({ clients }: Target): Promise<number> {
    const client = clients.as('prompt');
    await newWebhook(client, { url: receiver.url() });
    const began = performance.now();
    await newDomain(client);
    await receiver.untilReceived(1);
    return performance.now() - began;
  }

  it.each(TARGETS)('whose targets %s do not delay other webhooks or a stop', async (what, manners) => {
    const hostile = new HostileTarget(manners);
    const url = await hostile.listen();
    try {
      const violations = await violationsUnder({
        name: `webhooks that ${what}`,
        settings: SETTINGS,
        run: async (target) => {
          for (let round = 0; round < ROUNDS; round += 1)
            for (let tenant = 0; tenant < TENANTS; tenant += 1)
              await hostileRound(target.clients.as(`mallory-${tenant}`), url);
          const took = await promptDelay(target);
          // Nothing comes to rest while calls hang.
          hostile.close();
          target.note({ asked: hostile.asked, took });
          target.mustTake(took, LONGEST_DELAY, "another tenant's webhook was told too late");
        },
      });
      expect(violations).toEqual([]);
    } finally {
      hostile.close();
    }
  });
});
