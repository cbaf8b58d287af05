import { expectStatus } from '../support/answers.js';
import type { Target } from './attack.js';

/** The default quota of a tenant, each record of the maximum length in a DNS message. */
const RECORDS = 500;
const OCTETS = 60_000;
const AT_ONCE = 8;

export interface LargeDomain {
  readonly id: string;
  readonly name: string;
  /** The record ids. */
  readonly ids: readonly string[];
}

/** A domain of a tenant with 500 TXT records of 60 kB each, thus 30 MB. */
export async function makeLargeDomain(target: Target, tenant: string, records = RECORDS): Promise<LargeDomain> {
  const client = target.clients.as(tenant);
  const name = `${tenant}.example.net.`;
  const made = await client.call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
  expectStatus(made, 200);
  const { id } = made.body as { readonly id: string };
  const ids: string[] = [];
  const create = async (at: number): Promise<void> => {
    if (at >= records) return;
    const body = { name: `h${at}.${name}`, type: 'TXT', data: 'x'.repeat(OCTETS) };
    const answer = await client.call('post', `/v1/domains/${id}/records`, body);
    expectStatus(answer, 200);
    ids.push((answer.body as { readonly id: string }).id);
    await create(at + AT_ONCE);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => create(at)));
  return { id, name, ids };
}
