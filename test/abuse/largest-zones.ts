import { expectStatus } from '../support/answers.js';
import type { Clients } from '../support/service.js';

/** A few less than the records that default quotas allow. */
const RECORDS = 480;
const OCTETS = 60_000;
const AT_ONCE = 8;

/** A zone with its contents. */
export interface FullZone {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Before it had any records. */
  readonly firstSerial: number;
  readonly recordIds: readonly string[];
  /** The version 2 id. */
  readonly setId: string;
}

/** A zone of 480 TXT records of 60 kB each. */
export const makeLongZone = (clients: Clients, name = 'long.example.net.'): Promise<FullZone> =>
  makeZone(clients, name, { type: 'TXT', data: 'x'.repeat(OCTETS) });

/** A zone of 480 addresses. */
export const makeManyZone = (clients: Clients, name = 'many.example.net.'): Promise<FullZone> =>
  makeZone(clients, name, { type: 'A', data: '192.0.2.1' });

async function makeZone(
  clients: Clients,
  name: string,
  content: { readonly type: string; readonly data: string },
): Promise<FullZone> {
  const client = clients.as('mallory', 'admin');
  const made = await client.call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
  expectStatus(made, 200);
  const { id } = made.body as { readonly id: string };
  const empty = await client.call('get', `/v2/zones/${id}`);
  const { serial: firstSerial } = empty.body as { readonly serial: number };
  const recordIds: string[] = [];
  const create = async (at: number): Promise<void> => {
    for (let number = at; number < RECORDS; number += AT_ONCE) {
      const answer = await client.call('post', `/v1/domains/${id}/records`, { name: `h${number}.${name}`, ...content });
      expectStatus(answer, 200);
      recordIds.push((answer.body as { readonly id: string }).id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => create(at)));
  const sets = await client.call('get', `/v2/zones/${id}/recordsets?limit=3&name=h1.${name}`);
  const [set] = (sets.body as { readonly recordsets: readonly { readonly id: string }[] }).recordsets;
  return { id, name, type: content.type, firstSerial, recordIds, setId: set?.id ?? '' };
}
