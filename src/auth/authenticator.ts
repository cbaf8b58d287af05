import type { IncomingHttpHeaders } from 'node:http';

/** Who a credential belongs to. */
export interface Identity {
  readonly tenantId: string;
  readonly roles: readonly string[];
  /** The id of the token, for the journal. */
  readonly tokenId?: string;
  /** The name of the user, for the journal. */
  readonly user?: string;
}

/** The port behind `auth_strategy`: finds out who sends a request. A plugin may bind its own. */
export abstract class Authenticator {
  /** Returns who sent these headers, `null` without a valid credential. It must not throw for any header. */
  abstract identify(headers: IncomingHttpHeaders): Promise<Identity | null>;
}
