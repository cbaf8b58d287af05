import type { Test } from 'supertest';
import { bodyOf } from './answers.js';
import type { Client } from './service.js';
import type { ListBody } from './v2.js';

/** A record set, as version 2 shows it. */
export interface RecordSetBody {
  readonly id: string;
  readonly zone_id: string;
  readonly zone_name: string;
  readonly project_id: string;
  readonly name: string;
  readonly type: string;
  readonly records: readonly string[];
  readonly ttl: number | null;
  readonly description: string | null;
  readonly status: string;
  readonly action: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly managed?: true;
  readonly links: { readonly self: string };
}

export type RecordSetList = ListBody<'recordsets', RecordSetBody>;

/** Requests about the record sets of one zone. */
export class RecordSets {
  readonly path: string;

  constructor(
    private readonly client: Client,
    private readonly zone: { readonly id: string; readonly name: string },
  ) {
    this.path = `/v2/zones/${zone.id}/recordsets`;
  }

  /** `www` → `www.<zone>` */
  at(label: string): string {
    return `${label}.${this.zone.name}`;
  }

  create(fields: unknown): Test {
    return this.client.call('post', this.path, fields);
  }

  /** One that is accepted: an A at `www`, where the test does not say otherwise. */
  make(
    fields: { readonly records?: readonly string[]; readonly [field: string]: unknown } = {},
  ): Promise<RecordSetBody> {
    const body = { name: this.at('www'), type: 'A', records: ['192.0.2.3'], ...fields };
    return bodyOf<RecordSetBody>(this.create(body), body.records.length > 0 ? 202 : 201);
  }

  get(id: string): Test {
    return this.client.call('get', `${this.path}/${id}`);
  }

  /** As it stands. */
  now({ id }: { readonly id: string }): Promise<RecordSetBody> {
    return bodyOf<RecordSetBody>(this.get(id));
  }

  update(id: string, fields: unknown): Test {
    return this.client.call('put', `${this.path}/${id}`, fields);
  }

  delete(id: string): Test {
    return this.client.call('delete', `${this.path}/${id}`);
  }

  /** `query` as in a URL, with its question mark. */
  fetchList(query = ''): Test {
    return this.client.call('get', `${this.path}${query}`);
  }

  list(query = ''): Promise<RecordSetList> {
    return bodyOf<RecordSetList>(this.fetchList(query));
  }

  /** All of them, page by page, without the SOA and the NS of the apex. */
  async all(): Promise<RecordSetBody[]> {
    const { recordsets } = await this.list('?limit=1000');
    return recordsets.filter(({ name, type }) => !(name === this.zone.name && ['SOA', 'NS'].includes(type)));
  }
}
