import { randomUUID } from 'node:crypto';
import { expectStatus } from './answers.js';
import type { Client } from './service.js';

export interface DomainBody {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly serial: number;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
}

export interface RecordBody {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly domain_id: string;
}

/** A name that no other domain of the service has. */
export function freshName(): string {
  return `d${randomUUID().slice(0, 8)}.example.org.`;
}

export async function makeDomain(client: Client, name: string = freshName()): Promise<DomainBody> {
  const answer = await client.call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
  expectStatus(answer, 200);
  return answer.body;
}

/** An A record at `www` of the domain, where the test does not say otherwise. */
export async function makeRecord(client: Client, domain: DomainBody, fields: object = {}): Promise<RecordBody> {
  const record = { name: `www.${domain.name}`, type: 'A', data: '192.0.2.3', ...fields };
  const answer = await client.call('post', `/v1/domains/${domain.id}/records`, record);
  expectStatus(answer, 200);
  return answer.body;
}
