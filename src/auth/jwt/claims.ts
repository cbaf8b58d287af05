import type { JWTPayload } from 'jose';
import { type Instant, SECOND } from '../../common/clock.js';
import { fieldOf, listOf, textOf } from '../../common/json.js';
import { ServiceError } from '../../common/service-error.js';
import type { Identity } from '../authenticator.js';
import { truncateForAudit } from '../audit-identity.js';
import { builtInRoles } from '../role-names.js';
import { isTenantId } from '../tenant-id.js';
import type { JwtOptions } from './jwt.options.js';

type Mapping = Pick<
  JwtOptions,
  'tenantClaim' | 'rolesClaim' | 'userClaim' | 'adminRoles' | 'memberRoles' | 'readerRoles'
>;

/**
 * Whom the claims of a verified token stand for.
 * @throws ServiceError `forbidden` when the claim of the tenant is there and names none
 */
export function identityOf(claims: JWTPayload, mapping: Mapping): Identity {
  return {
    tenantId: tenantIn(claimAt(claims, mapping.tenantClaim), mapping.tenantClaim),
    roles: builtInRoles(rolesIn(claimAt(claims, mapping.rolesClaim)), mapping),
    ...truncateForAudit(textOf(claims.jti), textOf(claimAt(claims, mapping.userClaim))),
    ...endOf(claims),
  };
}

/** A token may be said to last longer than there are times of ours. */
function endOf({ exp = Infinity }: JWTPayload): { readonly expiresAt?: Instant } {
  const expiresAt = Math.floor(exp * SECOND);
  return expiresAt <= Number.MAX_SAFE_INTEGER ? { expiresAt } : {};
}

function claimAt(claims: unknown, path: readonly string[]): unknown {
  return path.reduce(fieldOf, claims);
}

/** A list would leave it to chance which of its tenants is meant. */
function tenantIn(claim: unknown, path: readonly string[]): string | null {
  if (claim === undefined || claim === null) return null;
  const tenantId = textOf(claim);
  if (tenantId !== null && isTenantId(tenantId)) return tenantId;
  throw new ServiceError('forbidden', `The claim ${path.join('.')} of the token is not the name of one tenant.`);
}

/** A list of names; or a text with blanks between them, as `scope` is one (RFC 8693 §4.2). */
function rolesIn(claim: unknown): string[] {
  const names = typeof claim === 'string' ? claim.split(' ') : listOf(claim);
  return names.map(textOf).filter((name) => name !== null);
}
