import type { IncomingHttpHeaders } from 'node:http';
import type { Instant } from '../common/clock.js';
import type { Restrictions } from '../common/caller.js';
import { Injectable } from '@nestjs/common';
import { readRoles } from './roles.js';
import { readTenantId } from './tenant-id.js';

/** Owner of a credential. */
export interface Identity {
  /** `null` if the credential names no tenant, such as a system-scoped admin token. */
  readonly tenantId: string | null;
  readonly roles: readonly string[];
  /** Absent if unrestricted. */
  readonly restrictions?: Restrictions;
  /** Token id for the journal. */
  readonly tokenId?: string;
  /** Whether this service issued the token, so that narrower tokens can be derived from it. */
  readonly isOwnToken?: boolean;
  /** User name for the journal. */
  readonly user?: string;
  /** Absent if the credential never expires or the issuer does not tell. */
  readonly expiresAt?: Instant;
}

/** Port behind `auth_strategy`: authenticates requests. A plugin may bind its own. */
export abstract class Authenticator {
  /**
   * Returns the owner of the credential, or `null` without a valid credential. It must not throw for any header value.
   * @throws ServiceError `unavailable` if it cannot tell now, `forbidden` if a valid credential is not permitted
   */
  abstract identify(headers: IncomingHttpHeaders): Promise<Identity | null>;

  /** Called for each accepted request. @param address client address, at most 64 characters */
  recordUse?(identity: Identity, address: string): void;
}

/** Column widths of the journal, in characters. */
const MAX_TOKEN_ID = 36;
const MAX_USER = 255;

/** Omits values that exceed the column width of the journal. */
export function truncateForAudit(tokenId: string | null, user: string | null): Pick<Identity, 'tokenId' | 'user'> {
  return {
    ...(tokenId === null || tokenId.length > MAX_TOKEN_ID ? {} : { tokenId }),
    ...(user === null || user.length > MAX_USER ? {} : { user }),
  };
}

const DEFAULT_TENANT = 'noauth-project';
const DEFAULT_ROLES = 'admin';

/** Trusts tenant and roles in the headers (behaviour 3.5). Only for tests and trials on one machine. */
@Injectable()
export class NoauthAuthenticator extends Authenticator {
  override identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const tenantId = readTenantId(headerOf(headers, 'x-auth-project-id') ?? DEFAULT_TENANT);
    const roles = readRoles(headerOf(headers, 'x-roles') ?? DEFAULT_ROLES);
    return Promise.resolve(tenantId === null ? null : { tenantId, roles });
  }
}

/** Only `set-cookie` is a list. */
function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
