import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** The service exited before the complete response: the request may or may not have been applied. */
export class NoAnswer extends Error {}

export interface Answer {
  readonly status: number;
  readonly requestId: string;
  readonly body: unknown;
  /** It was given before, to the same request with the same key. */
  readonly isReplayed: boolean;
  /** In seconds, where it was refused for a while. */
  readonly retryAfter: number | null;
}

/** It was refused for a while, because the service was in trouble or the first attempt of a repetition was still under way. */
export function isPassing({ status, retryAfter }: Answer): boolean {
  return (status === 503 || status === 409) && retryAfter !== null;
}

/** An admin client with separate connections. */
export class Caller {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly url: string) {}

  /** @throws NoAnswer */
  async call(method: string, path: string, body?: object, key?: string): Promise<Answer> {
    try {
      const answer = await this.send(method, path, body, key);
      const octets = await text(answer);
      return {
        status: answer.statusCode ?? 0,
        requestId: String(answer.headers['x-openstack-request-id']),
        body: bodyOf(answer, octets),
        isReplayed: answer.headers['idempotent-replayed'] === 'true',
        retryAfter: Number(answer.headers['retry-after'] ?? NaN) || null,
      };
    } catch (error) {
      throw new NoAnswer(`${method} ${path}: ${String(error)}`);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private send(method: string, path: string, body?: object, key?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = {
        'X-Auth-Project-ID': 'tenant-a',
        'X-Roles': 'admin',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      };
      request(new URL(path, this.url), { method, headers, agent: this.agent })
        .once('response', resolve)
        .once('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** Zone files are text. */
function bodyOf({ headers }: IncomingMessage, octets: string): unknown {
  if (octets === '') return null;
  return headers['content-type']?.includes('json') === true ? JSON.parse(octets) : octets;
}
