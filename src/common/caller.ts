import { randomUUID } from 'node:crypto';
import type { Instant } from './clock.js';
import type { Restrictions } from './restrictions.js';

/** Who is asking, for which tenant, and in which request. What a caller may do is said in `auth/policy.ts`. */
export interface Caller {
  /** The tenant whose zones the caller works on. */
  readonly tenantId: string;
  readonly roles: readonly string[];
  /** An admin who asked, with `X-Auth-All-Projects`, to see the zones of every tenant. */
  readonly allTenants: boolean;
  /** An admin who asked to change records that the service manages: SOA and NS of the apex. */
  readonly editsManaged?: boolean;
  /** An admin who asked for a zone to be forgotten without waiting for the name servers. */
  readonly deletesHard?: boolean;
  /** Delete the shares of a zone together with it. */
  readonly deletesShares?: boolean;
  /** What it says of the change that it asks for, for the history. */
  readonly message?: string;
  /** Delete a signed zone although its parent zone has a DS of it. */
  readonly deletesSigned?: boolean;
  /** What the credential is limited to; without it, to nothing. */
  readonly restrictions?: Restrictions;
  /** The token that proved who asks; `null` where none did. */
  readonly tokenId: string | null;
  /** Whether that is a token of this service, of which narrower ones can be made. */
  readonly isOwnToken?: boolean;
  /** The user that the credential names; `null` where it names none. */
  readonly user: string | null;
  /** When the credential ends; without it, never, or nobody says. */
  readonly expiresAt?: Instant;
  /** The client's address; not there where it is the service or its operator. */
  readonly address?: string;
  /** The `req-…` id that answers and the journal carry. */
  readonly requestId: string;
}

/**
 * The service itself, or whoever may run its commands: an admin, for every tenant.
 * @param source what the request id begins with, as in `cli-<uuid>`
 */
export function administrator(user: string, source: string, tenantId = 'admin'): Caller {
  const requestId = `${source}-${randomUUID()}`;
  return { tenantId, roles: ['admin'], allTenants: true, tokenId: null, user, requestId };
}
