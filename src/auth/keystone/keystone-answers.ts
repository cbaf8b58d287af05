import { fieldOf, listOf, textOf } from '../../common/json.js';

/** What Keystone says of a valid token (Identity API v3, "Validate and show information for token"), as far as we read it. */
export interface KeystoneToken {
  /** Of the project that it is for; `null` for a token for a domain, for the system or for nothing. */
  readonly projectId: string | null;
  /** Whether it is for the whole cloud, without a project. */
  readonly isForSystem: boolean;
  readonly roles: readonly string[];
  readonly user: string | null;
  /** Tells the token from others without giving it away; `null` where Keystone does not say. */
  readonly auditId: string | null;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Reads the body of an answer about a token; `null` for what is none. */
export function readToken(body: unknown): KeystoneToken | null {
  const token = fieldOf(body, 'token');
  const expiresAt = Date.parse(textOf(fieldOf(token, 'expires_at')) ?? '');
  if (Number.isNaN(expiresAt)) return null;
  const user = fieldOf(token, 'user');
  return {
    projectId: textOf(fieldOf(fieldOf(token, 'project'), 'id')),
    isForSystem: fieldOf(fieldOf(token, 'system'), 'all') === true,
    roles: listOf(fieldOf(token, 'roles'))
      .map((role) => textOf(fieldOf(role, 'name')))
      .filter((name) => name !== null),
    user: textOf(fieldOf(user, 'name')) ?? textOf(fieldOf(user, 'id')),
    auditId: textOf(listOf(fieldOf(token, 'audit_ids'))[0]),
    expiresAt,
  };
}
