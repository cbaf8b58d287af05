import { expect } from '@jest/globals';
import type { Response, Test } from 'supertest';
import { bodyOf, expectStatus } from './answers.js';
import type { Client } from './service.js';

/** A zone as version 2 shows it. */
export interface ZoneBody {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly serial: number;
  readonly status: string;
  readonly action: string;
  readonly version: number;
  readonly type: string;
  readonly masters: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly transferred_at: string | null;
  readonly message?: string;
  readonly links: { readonly self: string };
}

/** A list of version 2, with any entry key. */
export type ListBody<Field extends string, Entry> = Readonly<Record<Field, readonly Entry[]>> & {
  readonly links: { readonly self: string; readonly next?: string };
  readonly metadata?: { readonly total_count: number };
};

interface V2RefusalBody {
  readonly code: number;
  readonly type: string;
  readonly message: string;
  readonly errors?: { readonly errors: readonly { readonly path: readonly (string | number)[] }[] };
}

/** A new zone of version 2, of the client's project. */
export function newZone(client: Client, name: string, fields: object = {}): Promise<ZoneBody> {
  return bodyOf<ZoneBody>(client.call('post', '/v2/zones', { name, email: 'hostmaster@example.org', ...fields }), 202);
}

/** The whole body of a refusal by version 2; the fields at fault are looked at where they are given. */
export async function v2RefusalOf(
  request: Test,
  status: number,
  type: string,
  paths?: readonly (readonly (string | number)[])[],
): Promise<V2RefusalBody> {
  const answer: Response = await request;
  expectStatus(answer, status);
  const body = answer.body as V2RefusalBody;
  expect(body).toMatchObject({
    code: status,
    type,
    message: expect.stringMatching(/^\S/),
    request_id: answer.headers['x-openstack-request-id'],
  });
  if (paths !== undefined) expect((body.errors?.errors ?? []).map(({ path }) => path)).toEqual(paths);
  return body;
}
