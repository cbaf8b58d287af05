import { randomUUID } from 'node:crypto';
import type { Instant } from './clock.js';

/** Identity, tenant and options of a request. `auth/policy.ts` has the permissions. */
export interface Caller {
  /** Tenant whose zones the request is about. */
  readonly tenantId: string;
  readonly roles: readonly string[];
  /** `X-Auth-All-Projects`: an admin lists the zones of all tenants. */
  readonly allTenants: boolean;
  /** An admin changes managed records: SOA and NS at the apex. */
  readonly editsManaged?: boolean;
  /** An admin deletes a zone without waiting for the name servers. */
  readonly deletesHard?: boolean;
  /** Delete the shares of a zone with it. */
  readonly deletesShares?: boolean;
  /** Message for the history of the change. */
  readonly message?: string;
  /** Delete a signed zone although its parent zone still has a DS. */
  readonly deletesSigned?: boolean;
  /** Limits of the credential. */
  readonly restrictions?: Restrictions;
  /** `null` without a token. */
  readonly tokenId: string | null;
  /** Whether it is a token of this service, from which narrower tokens can be derived. */
  readonly isOwnToken?: boolean;
  /** User of the credential, if it has one. */
  readonly user: string | null;
  /** Expiry of the credential, if known. */
  readonly expiresAt?: Instant;
  /** The service sets the addresses of an ALIAS: no change that lists of changes show (behaviour 24.6). */
  readonly isUpkeep?: true;
  /** Client address; absent for the service itself and its command line. */
  readonly address?: string;
  /** The `req-…` id in answers and the journal. */
  readonly requestId: string;
}

/** An admin for all tenants: the service itself, or the operator at the command line. */
export function administrator(user: string, source: string, tenantId = 'admin'): Caller {
  const requestId = `${source}-${randomUUID()}`;
  return { tenantId, roles: ['admin'], allTenants: true, tokenId: null, user, requestId };
}

/** Starts the request id of an upkeep change. */
export const UPKEEP = 'upkeep-';

/** The service sets the addresses of an ALIAS. */
export function upkeepFor(tenantId: string): Caller {
  return { ...administrator('alias', UPKEEP.slice(0, -1), tenantId), isUpkeep: true };
}

/** A change to a record or zone. */
export type Action = 'create' | 'update' | 'delete';

/** Limits of a credential (behaviour 14.2). `null` means no limit; lists are not empty. */
export interface Restrictions {
  /** Names of zones in lower case, with the final dot. */
  readonly domains: readonly string[] | null;
  /** Patterns of owner names in lower case; `*` stands for any characters. */
  readonly names: readonly string[] | null;
  /** Record types in upper case. */
  readonly types: readonly string[] | null;
  readonly actions: readonly Action[] | null;
  /** `key` and `key=value`: zones have to have all of them. They are in `domains` then. */
  readonly labels: readonly string[] | null;
  /** Permitted client addresses, and networks in CIDR notation. */
  readonly networks: readonly string[] | null;
}

export const UNRESTRICTED: Restrictions = {
  domains: null,
  labels: null,
  names: null,
  types: null,
  actions: null,
  networks: null,
};
