import { randomUUID } from 'node:crypto';
import type { Response, Test } from 'supertest';
import { expectStatus } from './answers.js';
import type { Method, TestService } from './service.js';

/** Where PowerDNS's API has its zones. */
export const SERVER = '/api/v1/servers/localhost';

export interface RrsetBody {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly { readonly content: string; readonly disabled: boolean }[];
  readonly comments: readonly { readonly content: string; readonly account: string; readonly modified_at: number }[];
}

export interface PowerDnsZone {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly account: string;
  readonly masters: readonly string[];
  readonly serial: number;
  readonly soa_edit_api: string;
  readonly url: string;
  readonly rrsets: readonly RrsetBody[];
}

/** The settings of a service that speaks PowerDNS's API. */
export const WITH_POWERDNS = { SERVICE_POWERDNS__ENABLED: 'True' };

/** Requests as PowerDNS's clients send them: a key, and a body without a media type. */
export class PowerDnsClient {
  constructor(
    private readonly service: Pick<TestService, 'plain'>,
    private readonly tenantId = 'tenant-a',
  ) {}

  call(method: Method, path: string, body?: unknown): Test {
    const test = this.service
      .plain(method, `${SERVER}${path}`)
      .set('X-API-Key', 'any')
      .set('X-Auth-Project-ID', this.tenantId);
    if (body === undefined) return test;
    return test.set('Content-Type', 'text/plain').send(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** The answer, whose status is as expected. */
  async answer(method: Method, path: string, body?: unknown, status = 200): Promise<Response> {
    const answer = await this.call(method, path, body);
    expectStatus(answer, status);
    return answer;
  }

  async json<Body>(method: Method, path: string, body?: unknown, status = 200): Promise<Body> {
    return (await this.answer(method, path, body, status)).body as Body;
  }

  /** The words of a refusal. */
  async refusal(method: Method, path: string, body: unknown, status = 422): Promise<string> {
    return (await this.json<{ error: string }>(method, path, body, status)).error;
  }

  /** A zone with a unique name, unless the test gives one. */
  newZone(fields: object = {}): Promise<PowerDnsZone> {
    const name = `p${randomUUID().slice(0, 8)}.example.org.`;
    return this.json('post', '/zones', { name, kind: 'Native', nameservers: [], ...fields }, 201);
  }

  zone(id: string): Promise<PowerDnsZone> {
    return this.json('get', `/zones/${id}`);
  }

  async rrset(id: string, name: string, type: string): Promise<RrsetBody | undefined> {
    return (await this.zone(id)).rrsets.find((set) => set.name === name && set.type === type);
  }

  patch(id: string, ...rrsets: readonly object[]): Promise<Response> {
    return this.answer('patch', `/zones/${id}`, { rrsets }, 204);
  }
}

/** `REPLACE` with these contents. */
export function replaced(name: string, type: string, contents: readonly string[], more: object = {}): object {
  return { name, type, ttl: 300, changetype: 'REPLACE', records: records(contents), ...more };
}

export function records(contents: readonly string[]): readonly object[] {
  return contents.map((content) => ({ content, disabled: false }));
}

export function contentsOf(set: RrsetBody | undefined): readonly string[] {
  return (set?.records ?? []).map(({ content }) => content);
}
