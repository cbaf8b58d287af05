import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { bodyOf } from './answers.js';
import type { EventBody } from './event-body.js';
import type { Client, Settings } from './service.js';
import { until } from './until.js';

/** Milliseconds that a slow machine may need for one second of work. */
const PATIENCE = 20_000;

/** Webhooks on, which may lead to loopback, and whose failures are tried again soon. */
export const WEBHOOKS_ON: Settings = {
  SERVICE_API__ENABLED_EXTENSIONS_V1: 'webhooks',
  WEBHOOKS__ALLOWED_TARGETS: '127.0.0.1',
  WEBHOOKS__ALLOWED_PORTS: '',
  WEBHOOKS__ALLOW_HTTP: 'True',
  WEBHOOKS__FIRST_RETRY: '1',
  WEBHOOKS__REQUEST_TIMEOUT: '5',
};

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: EventBody;
}

export interface WebhookBody {
  readonly id: string;
  readonly tenant_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly disabled_because: string | null;
  readonly domains: string[] | null;
  readonly actions: string[] | null;
  readonly former_secret_until: string | null;
  readonly overflowed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly secret?: string;
  readonly warnings?: readonly string[];
}

export interface DeliveryBody {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly domain_id: string | null;
  readonly status: string;
  readonly attempts: number;
  readonly answer: number | null;
  readonly fault: string | null;
}

/** Answers a request, which is the `count`th at its path. */
type Answering = (response: ServerResponse, received: Received, count: number) => void;

/** A server that accepts webhooks and stores their messages. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answer: Answering = (response) => response.writeHead(204).end();
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const path = request.url ?? '';
      const received = { path, headers: request.headers, text, event: JSON.parse(text) as EventBody };
      this.received.push(received);
      this.answer(response, received, this.at(path).length);
    });
  });

  static async listening(port = 0): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server.listen(port, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((each) => each.path === path);
  }

  async untilReceived(count: number, path = '/'): Promise<Received[]> {
    await until(() => this.at(path).length >= count, PATIENCE);
    return this.at(path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export function newWebhook(client: Client, fields: object): Promise<WebhookBody & { readonly secret: string }> {
  return bodyOf(client.call('post', '/v1/webhooks', fields));
}

export async function deliveriesOf(client: Client, id: string, query = ''): Promise<DeliveryBody[]> {
  const path = `/v1/webhooks/${id}/deliveries${query}`;
  return (await bodyOf<{ deliveries: DeliveryBody[] }>(client.call('get', path))).deliveries;
}

/** Waits until `count` deliveries of a webhook reach that status. */
export async function untilDeliveries(
  client: Client,
  id: string,
  status: string,
  count: number,
): Promise<DeliveryBody[]> {
  await until(async () => (await deliveriesOf(client, id, `?status=${status}`)).length >= count, PATIENCE);
  return deliveriesOf(client, id, `?status=${status}`);
}

/** The payload as verified by the Standard Webhooks library; throws for a wrong signature. */
export function verified(secret: string, { text, headers }: Received): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}
