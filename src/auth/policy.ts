import type { Caller } from '../common/caller.js';

/** Who may do what (behaviour 3). Guards, repositories and services ask here, and nowhere else are roles looked at. */

const ADMIN = 'admin';
const READER = 'reader';

interface WithRoles {
  readonly roles: readonly string[];
}

interface OwnedByTenant {
  readonly tenantId: string;
}

export function isAdmin({ roles }: WithRoles): boolean {
  return roles.includes(ADMIN);
}

/** A credential without any role proves nothing. */
export function mayCall({ roles }: WithRoles): boolean {
  return roles.length > 0;
}

/** One whose only role is reader may read only (behaviour 3.3). */
export function mayWrite({ roles }: WithRoles): boolean {
  return roles.some((role) => role !== READER);
}

/** Another tenant, or all of them, are for admins to name (behaviour 3.2). */
export function mayActForOthers(identity: WithRoles): boolean {
  return isAdmin(identity);
}

/** Whether what a tenant owns is there for the caller (behaviour 3.2). */
export function maySee(caller: Caller, { tenantId }: OwnedByTenant): boolean {
  return caller.allTenants || tenantId === caller.tenantId;
}

/** A tenant reads its own limits (behaviour 8.6). */
export function mayReadQuotas(caller: Caller, tenantId: string): boolean {
  return tenantId === caller.tenantId || isAdmin(caller);
}

/** The configured minimum holds for everybody else (behaviour 4.4). */
export function mayGoBelowMinimumTtl(caller: Caller): boolean {
  return isAdmin(caller);
}

/** Whoever holds the names of the service's own name servers holds every zone that they serve (behaviour 7.4). */
export function mayHoldNameServers(caller: Caller): boolean {
  return isAdmin(caller);
}
