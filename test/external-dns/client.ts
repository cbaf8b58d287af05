import type { Response } from 'supertest';
import { expectStatus } from '../support/answers.js';
import type { Method, TestService } from '../support/service.js';

export const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1';
export const WITH_EXTERNAL_DNS = { SERVICE_EXTERNAL_DNS__ENABLED: 'True' };

export interface EndpointBody {
  readonly dnsName: string;
  readonly targets: readonly string[];
  readonly recordType: string;
  readonly recordTTL?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface ChangesBody {
  readonly create?: readonly object[];
  readonly updateOld?: readonly object[];
  readonly updateNew?: readonly object[];
  readonly delete?: readonly object[];
}

/** `www A 192.0.2.1 192.0.2.2` at `zone`, which has a final dot. */
export const endpoint = (zone: string, text: string, more: object = {}): EndpointBody => {
  const [label = '', recordType = '', ...targets] = text.split(' ');
  return { dnsName: `${label}.${zone}`.replace(/\.$/, ''), targets, recordType, ...more };
};

/** The TXT record with which external-dns claims a record set. */
export const heritage = (zone: string, text: string, owner = 'default', resource = 'ingress/default/web') => {
  const [label = '', type = ''] = text.split(' ');
  const target = `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}"`;
  return {
    dnsName: `${type.toLowerCase()}-${label}.${zone}`.replace(/\.$/, ''),
    targets: [target],
    recordType: 'TXT',
    labels: { ownedRecord: `${label}.${zone}`.replace(/\.$/, '') },
  };
};

/** The requests of provider/webhook/webhook.go of external-dns 0.14 to 0.22. */
export class ExternalDns {
  constructor(
    private readonly service: Pick<TestService, 'plain'>,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  get(path = ''): Promise<Response> {
    return this.call('get', path, { Accept: MEDIA_TYPE });
  }

  async records(): Promise<readonly EndpointBody[]> {
    const answer = await this.get('/records');
    expectStatus(answer, 200);
    return JSON.parse(answer.text) as EndpointBody[];
  }

  async adjust(endpoints: readonly object[] | null): Promise<readonly EndpointBody[]> {
    const answer = await this.call('post', '/adjustendpoints', { Accept: MEDIA_TYPE }, endpoints);
    expectStatus(answer, 200);
    return JSON.parse(answer.text) as EndpointBody[];
  }

  apply(changes: object): Promise<Response> {
    return this.call('post', '/records', {}, changes);
  }

  async applied(changes: ChangesBody): Promise<void> {
    expectStatus(await this.apply(changes), 204);
  }

  async call(method: Method, path: string, headers: object, body?: unknown): Promise<Response> {
    const test = this.service.plain(method, `/external-dns${path}`).set({ ...this.headers, ...headers });
    // Superagent parses only media types that it knows.
    test.buffer(true).parse((answer, done) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        done(null, Buffer.concat(parts).toString('utf8'));
      });
    });
    // Go ends JSON with a line feed.
    const sent = body === undefined ? test : test.set('Content-Type', MEDIA_TYPE).send(`${JSON.stringify(body)}\n`);
    const answer = await sent;
    return Object.assign(answer, { text: typeof answer.body === 'string' ? answer.body : answer.text });
  }
}

/** external-dns with the token in the user information of its URL, as Go sends it. */
export function withPassword(service: Pick<TestService, 'plain'>, token: string): ExternalDns {
  return new ExternalDns(service, {
    Authorization: `Basic ${Buffer.from(`external-dns:${token}`).toString('base64')}`,
  });
}
