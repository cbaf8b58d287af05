import type { Caller } from '../common/caller.js';

/** Who may do what (behaviour 3). Guards, repositories and services ask here; roles are looked at nowhere else. */

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

/** A caller needs at least one role. */
export function mayCall({ roles }: WithRoles): boolean {
  return roles.length > 0;
}

/** A caller whose only role is reader may only read (behaviour 3.3). */
export function mayWrite({ roles }: WithRoles): boolean {
  return roles.some((role) => role !== READER);
}

/** Only admins may act for another tenant, or for all of them (behaviour 3.2). */
export function mayActForOthers(identity: WithRoles): boolean {
  return isAdmin(identity);
}

/** A caller sees what its tenant owns; an admin may ask to see what every tenant owns (behaviour 3.2). */
export function maySee(caller: Caller, { tenantId }: OwnedByTenant): boolean {
  return caller.allTenants || tenantId === caller.tenantId;
}

/** A caller may read the quotas of its own tenant, an admin those of all (behaviour 8.6). */
export function mayReadQuotas(caller: Caller, tenantId: string): boolean {
  return tenantId === caller.tenantId || isAdmin(caller);
}

/** Only admins may set a ttl below the configured minimum (behaviour 4.4). */
export function mayGoBelowMinimumTtl(caller: Caller): boolean {
  return isAdmin(caller);
}

/** Under a public suffix everybody registers names, so its zone is for who runs the service (behaviour 7.3). */
export function mayOwnPublicSuffix(caller: Caller): boolean {
  return isAdmin(caller);
}

/** Only admins may own a zone that contains a name server of the service: it controls all zones (behaviour 7.4). */
export function mayHoldNameServers(caller: Caller): boolean {
  return isAdmin(caller);
}
