import type { Test } from 'supertest';
import type { RecordBody } from '../../support/bodies.js';
import { TestDomain } from '../../support/domain.js';
import type { Client } from '../../support/service.js';

/**
 * The data of the scoped token tests: a token for TXT at _acme-challenge of one domain, and records outside its scope.
 */
export interface World {
  readonly domain: TestDomain;
  readonly other: TestDomain;
  /** Outside the token scope. */
  readonly www: RecordBody;
  readonly wwwSet: string;
  /** Inside. */
  readonly challenge: RecordBody;
  readonly challengeSet: string;
  readonly firstSerial: number;
  readonly shareOfDomain: string;
}

type Send = (client: Client, world: World) => Test;

export interface Way {
  /** A route of the OpenAPI documents. */
  readonly route: string;
  readonly what: string;
  readonly send: Send;
}

const ACTIONS = ['create', 'delete'];
export const ACME = { names: ['_acme-challenge.*'], types: ['TXT'], actions: ACTIONS };
export const RECORDS = 'post /v1/domains/{domain_id}/records';
export const RECORD = '/v1/domains/{domain_id}/records/{id}';
export const CHANGES = 'post /v1/domains/{domain_id}/changes';
export const IMPORT = 'post /v1/domains/{domain_id}/import';
export const REVERT = 'post /v1/domains/{domain_id}/revert';
export const SETS = 'post /v2/zones/{zone_id}/recordsets';
export const SET = '/v2/zones/{zone_id}/recordsets/{recordset_id}';

export const challengeAt = (name: string) => ({ name: `_acme-challenge.${name}`, type: 'TXT', data: 'a-new-value' });
export const inside = ({ domain }: World) => ({ action: 'create', record: challengeAt(`new.${domain.name}`) });
export const change =
  (entries: (world: World) => object[], query = ''): Send =>
  (client, world) =>
    client.call('post', `/v1/domains/${world.domain.id}/changes${query}`, { changes: entries(world) });
export const importing =
  (lines: (world: World) => string, query = ''): Send =>
  (client, { domain, ...world }) =>
    new TestDomain(client, domain).sendFile(lines({ domain, ...world }), query);
export const setsOf = ({ domain }: World) => `/v2/zones/${domain.id}/recordsets`;

/** Above the size from which a file is parsed outside the database transaction. */
export function manyChallenges({ name }: { readonly name: string }): string {
  return Array.from(
    { length: 6000 },
    (_, at) => `_acme-challenge.n${at}.${name} 300 TXT "value of a challenge"\n`,
  ).join('');
}
