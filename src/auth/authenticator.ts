import type { IncomingHttpHeaders } from 'node:http';

/** Whom a credential stands for. */
export interface Identity {
  readonly tenantId: string;
  readonly roles: readonly string[];
  /** The id of the token that was sent, for the journal. */
  readonly tokenId?: string;
  /** The user that the credential names, for the journal. */
  readonly user?: string;
}

/** The port behind `auth_strategy`; an enterprise binds its own. */
export abstract class Authenticator {
  /** The identity that the headers prove, or `null` when they prove none. Never throws for what a caller sent. */
  abstract identify(headers: IncomingHttpHeaders): Promise<Identity | null>;
}
