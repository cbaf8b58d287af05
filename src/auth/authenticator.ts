import type { IncomingHttpHeaders } from 'node:http';
import type { Instant } from '../common/clock.js';
import type { Restrictions } from '../common/restrictions.js';

/** Who a credential belongs to. */
export interface Identity {
  /** `null` where the credential names none, as that of an admin of everything may. */
  readonly tenantId: string | null;
  readonly roles: readonly string[];
  /** What the credential is limited to; without it, to nothing. */
  readonly restrictions?: Restrictions;
  /** The id of the token, for the journal. */
  readonly tokenId?: string;
  /** Whether the credential is a token of this service, of which narrower ones can be made. */
  readonly isOwnToken?: boolean;
  /** The name of the user, for the journal. */
  readonly user?: string;
  /** When the credential ends; without it, never, or nobody says. */
  readonly expiresAt?: Instant;
}

/** The port behind `auth_strategy`: finds out who sends a request. A plugin may bind its own. */
export abstract class Authenticator {
  /**
   * Returns who sent these headers, `null` without a valid credential. It must not throw for any header, whatever is in it.
   * @throws ServiceError `unavailable` when it cannot be found out now, `forbidden` for a valid credential that cannot
   *   be let in
   */
  abstract identify(headers: IncomingHttpHeaders): Promise<Identity | null>;

  /** Is told of each request that is let in. @param address of the client, 64 characters at most */
  recordUse?(identity: Identity, address: string): void;
}
