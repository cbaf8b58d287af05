import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import { answerOf, bodyOf, refusalOf } from './answers.js';
import type { CheckBody, DomainBody, ImportBody, ListedBody, RecordBody } from './bodies.js';
import type { Client } from './service.js';

/** A name that no other domain of the service has. */
export function freshName(): string {
  return `d${randomUUID().slice(0, 8)}.example.org.`;
}

/** A new domain of the client's tenant, with a unique name unless the test gives one. */
export async function newDomain(
  client: Client,
  name: string = freshName(),
  fields: { readonly ttl?: number } = {},
): Promise<TestDomain> {
  const domain = { name, email: 'hostmaster@example.org', ...fields };
  return new TestDomain(client, await bodyOf<DomainBody>(client.call('post', '/v1/domains', domain)));
}

/** A domain that exists already, in the hands of this client. */
export function domainOf(client: Client, domain: DomainBody): TestDomain {
  return new TestDomain(client, domain);
}

/** A domain response, with requests for its contents. */
export class TestDomain implements DomainBody {
  declare readonly id: string;
  declare readonly name: string;
  declare readonly email: string;
  declare readonly ttl: number;
  declare readonly serial: number;
  declare readonly description: string | null;
  declare readonly created_at: string;
  declare readonly updated_at: string | null;

  // Private to the language, so that a domain equals the body it was made from.
  readonly #client: Client;
  readonly #path: string;

  constructor(client: Client, domain: DomainBody) {
    Object.assign(this, domain);
    this.#client = client;
    this.#path = `/v1/domains/${domain.id}`;
  }

  /** `www` → `www.<domain>` */
  at(label: string): string {
    return `${label}.${this.name}`;
  }

  /** The domain as it stands now. */
  now(): Promise<DomainBody> {
    return bodyOf<DomainBody>(this.#client.call('get', this.#path));
  }

  create(fields: unknown): Test {
    return this.#client.call('post', `${this.#path}/records`, fields);
  }

  /** A record that is accepted: an A at `www`, where the test does not say otherwise. */
  newRecord(fields: object = {}): Promise<RecordBody> {
    return bodyOf(this.create({ name: this.at('www'), type: 'A', data: '192.0.2.3', ...fields }));
  }

  get(id: string): Test {
    return this.#client.call('get', `${this.#path}/records/${id}`);
  }

  update(id: string, fields: unknown): Test {
    return this.#client.call('put', `${this.#path}/records/${id}`, fields);
  }

  delete(id: string): Test {
    return this.#client.call('delete', `${this.#path}/records/${id}`);
  }

  /** `query` as in a URL, with its question mark. */
  list(query = ''): Test {
    return this.#client.call('get', `${this.#path}/records${query}`);
  }

  /** All records, as a complete list shows them. */
  async records(): Promise<ListedBody[]> {
    return (await bodyOf<{ records: ListedBody[] }>(this.list())).records;
  }

  /** `query` as in a URL, with its question mark. */
  sendFile(file: string | Buffer, query = ''): Test {
    return this.#client.call('post', `${this.#path}/import${query}`).set('Content-Type', 'text/dns').send(file);
  }

  /** A successful import. Returns its result. */
  import(file: string | Buffer, query?: string): Promise<ImportBody> {
    return bodyOf<ImportBody>(this.sendFile(file, query));
  }

  /** An import refused because of the file. Returns its faults as `line:column message`. */
  async refuse(file: string | Buffer, query?: string): Promise<string[]> {
    const { errors = [] } = await refusalOf(this.sendFile(file, query), 400, 'invalid_object');
    return errors.map(({ path, message }) => `${path.replace(PLACE, '$1:$2')} ${message}`);
  }

  fetchFile(): Test {
    return this.#client.call('get', `${this.#path}/export`);
  }

  async export(): Promise<string> {
    return (await answerOf(this.fetchFile())).text;
  }

  check(): Promise<CheckBody> {
    return bodyOf<CheckBody>(this.#client.call('get', `${this.#path}/check`));
  }
}

const PLACE = /^line (\d+), column (\d+)$/;

/** The records of an export without its comments: `owner ttl type data`, in the order of the file. */
export function linesOfExport(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
    .map((line) => line.replace('\tIN\t', '\t').split('\t').join(' '));
}
