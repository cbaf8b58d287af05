import { ask } from '../api/client.js';
import { isGone, Refusal } from '../api/errors.js';
import type { DomainRead, LiveComparison, ParentLook } from '../api/types.js';

export type TriedServer = DomainRead['name_servers'][number];
export type LiveDifference = LiveComparison['differences'][number];

/** The TSIG key of a transfer. It is in no storage. */
export interface TransferKey {
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
}

export interface ReadRequest {
  readonly name: string;
  readonly method: 'transfer' | 'queries';
  /** Empty: those that a resolver finds. */
  readonly servers: readonly string[];
  readonly key: TransferKey | null;
}

/** Has the service read a domain at other name servers. It stores nothing. */
export async function readDomain({ name, method, servers, key }: ReadRequest): Promise<DomainRead> {
  const json = {
    ...{ name, method },
    ...(servers.length > 0 && { name_servers: servers }),
    ...(key !== null && { tsig_key: key }),
  };
  return (await ask<DomainRead>('/v1/domain-reads', { method: 'POST', json })).body;
}

/** Names that the service takes again: port 53 is the usual one. */
export const answeringServers = (servers: readonly TriedServer[]): string[] =>
  servers.filter(({ reason }) => reason === null).map(({ name }) => name.replace(/:53$/, ''));

/** One page of the comparison with the answers of other name servers. */
export async function compareLive(
  zoneId: string,
  servers: readonly string[],
  marker: string | null,
  signal: AbortSignal,
): Promise<LiveComparison> {
  const query = new URLSearchParams();
  if (servers.length > 0) query.set('name_servers', servers.join(','));
  if (marker !== null) query.set('marker', marker);
  return (await ask<LiveComparison>(`/v1/domains/${zoneId}/live-comparison?${query.toString()}`, { signal })).body;
}

/** The delegation and the DS in the parent zone; `null`: the service does not sign, and never looks. */
export async function lookAtParent(zoneId: string, signal: AbortSignal): Promise<ParentLook | null> {
  try {
    return (await ask<ParentLook>(`/v1/domains/${zoneId}/dnssec/parent`, { signal })).body;
  } catch (error) {
    if (error instanceof Refusal && [404, 405].includes(error.status) && !isGone(error)) return null;
    throw error;
  }
}
