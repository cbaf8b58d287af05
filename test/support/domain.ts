import type { Test } from 'supertest';
import { bodyOf, type DomainBody, type ListedBody } from './bodies.js';
import { makeDomain } from './fixtures.js';
import type { Client } from './service.js';

/** A domain made for one test, and requests about what is in it. */
export interface TestDomain extends DomainBody {
  /** `www` → `www.<domain>` */
  at(label: string): string;
  /** The domain as it stands now. */
  now(): Promise<DomainBody>;
  create(fields: unknown): Test;
  get(id: string): Test;
  update(id: string, fields: unknown): Test;
  delete(id: string): Test;
  /** `query` as in a URL, with its question mark. */
  list(query?: string): Test;
  /** All records, as a complete list shows them. */
  records(): Promise<ListedBody[]>;
}

/** A fresh domain of the client's tenant, with a name of its own unless the test needs a certain one. */
export async function newDomain(client: Client, name?: string): Promise<TestDomain> {
  return domainOf(client, await makeDomain(client, name));
}

/** The same requests for a domain that exists already. */
export function domainOf(client: Client, domain: DomainBody): TestDomain {
  const path = `/v1/domains/${domain.id}`;
  const list = (query = ''): Test => client.call('get', `${path}/records${query}`);
  return {
    ...domain,
    at: (label) => `${label}.${domain.name}`,
    now: () => bodyOf<DomainBody>(client.call('get', path)),
    create: (fields) => client.call('post', `${path}/records`, fields),
    get: (id) => client.call('get', `${path}/records/${id}`),
    update: (id, fields) => client.call('put', `${path}/records/${id}`, fields),
    delete: (id) => client.call('delete', `${path}/records/${id}`),
    list,
    records: async () => (await bodyOf<{ records: ListedBody[] }>(list())).records,
  };
}
