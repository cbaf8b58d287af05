import type { Caller, Action, Restrictions } from '../common/caller.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import { plainNameOfKey } from '../dns/name-key.js';
import { limitsWork } from './scopes/token-scope.js';
import { matchesPattern } from './scopes/name-pattern.js';
import { isAddressWithin } from '../common/network/network.js';

/** Permissions (behaviour 3). Guards, repositories and services ask here and never look at roles themselves. */

const ADMIN = 'admin';
const READER = 'reader';

interface WithRoles {
  readonly roles: readonly string[];
}

interface OwnedByTenant {
  readonly tenantId: string;
}

interface OwnedZone extends OwnedByTenant {
  /** `DomainName.key` of the name. */
  readonly nameKey: string;
}

interface MaybeRestricted {
  readonly restrictions?: Restrictions;
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

/** A credential without a tenant may only call operations on no tenant or on all tenants (behaviour 14.1). */
export function mayCallForNobody(identity: WithRoles): boolean {
  return isAdmin(identity);
}

/** Only admins may change managed records, or delete a zone without waiting. */
export function mayGoBeyondRules(identity: WithRoles): boolean {
  return isAdmin(identity);
}

/** A caller sees the zones of its tenant within its token scope. An admin may see all tenants (behaviour 3.2, 14.2). */
export function maySee(caller: Caller, { tenantId, nameKey }: OwnedZone): boolean {
  return isForTenant(caller, tenantId) && isForZone(caller, { nameKey });
}

/** Owner (or an admin acting for it), grantee with own record sets, or none. */
export type CallerRole = 'owner' | 'grantee' | 'none';

/** A caller is a grantee of a zone that is shared with its tenant, within its token scope (behaviour 13.10, 14.2). */
export function roleIn(caller: Caller, zone: OwnedZone, isShared: boolean): CallerRole {
  if (maySee(caller, zone)) return 'owner';
  return isShared && isForZone(caller, zone) ? 'grantee' : 'none';
}

/** `maySee` for resources outside zones. Scoped tokens have no access to them. */
export function mayManage(caller: Caller, { tenantId }: OwnedByTenant): boolean {
  return isForTenant(caller, tenantId) && !isScoped(caller);
}

/** Secrets that let their holder act, such as transfer keys: only for callers that may create them (behaviour 3.9). */
export function maySeeSecrets(caller: Caller, owned: OwnedByTenant): boolean {
  return mayWrite(caller) && mayManage(caller, owned);
}

/** Names of the zones in the token scope; `null`: all. */
export function zonesOf({ restrictions }: MaybeRestricted): readonly string[] | null {
  return restrictions?.domains ?? null;
}

export function isForZone({ restrictions }: MaybeRestricted, { nameKey }: Pick<OwnedZone, 'nameKey'>): boolean {
  const domains = restrictions?.domains ?? null;
  return domains === null || domains.includes(plainNameOfKey(nameKey));
}

/** Whether more than the client network is limited (behaviour 14.2). */
export function isScoped({ restrictions }: MaybeRestricted): boolean {
  return restrictions !== undefined && limitsWork(restrictions);
}

export function mayComeFrom({ restrictions }: MaybeRestricted, address: string): boolean {
  const networks = restrictions?.networks ?? null;
  return networks === null || isAddressWithin(address, networks);
}

/**
 * Every change of a record must pass this check (behaviour 14.2). @throws ServiceError `forbidden`
 * @param action `null` if the change may leave the record set as it is
 * @param set its type is `null` if not yet known
 */
export function assertMayChangeRecords(
  { restrictions }: MaybeRestricted,
  action: Action | null,
  { ownerKey, type }: { readonly ownerKey: string; readonly type: string | null },
): void {
  if (restrictions === undefined) return;
  const { names, types } = restrictions;
  const name = plainNameOfKey(ownerKey);
  const forbids = (limit: keyof Restrictions): ServiceError =>
    notFor(`to ${action ?? 'change'} ${type ?? 'records'} at ${name}`, limit);
  if (!isForAction(restrictions, action)) throw forbids('actions');
  if (type !== null && types?.includes(type) === false) throw forbids('types');
  if (names?.some((pattern) => matchesPattern(pattern, name)) === false) throw forbids('names');
}

/**
 * A token that is limited to names or types may change records only. @throws ServiceError `forbidden`
 * @param action `null` if it neither creates, updates nor deletes the zone
 */
export function assertMayChangeZone(caller: MaybeRestricted, action: Action | null, { nameKey }: OwnedZone): void {
  const { restrictions } = caller;
  if (restrictions === undefined || !isScoped(caller)) return;
  const isForWhole = restrictions.names === null && restrictions.types === null;
  if (action !== null && isForWhole && isForAction(restrictions, action) && isForZone(caller, { nameKey })) return;
  throw notFor(`to ${action ?? 'hand on'} ${plainNameOfKey(nameKey)} itself`);
}

/** Masters determine all records, so all actions must be allowed. @throws ServiceError `forbidden` */
export function assertMayNameMasters(caller: MaybeRestricted, zone: OwnedZone): void {
  for (const action of ['create', 'update', 'delete'] as const) assertMayChangeZone(caller, action, zone);
}

/** @throws ServiceError `forbidden` for a scoped token */
export function assertNotScoped(caller: MaybeRestricted, what: string): void {
  if (isScoped(caller)) throw notFor(what);
}

function isForTenant(caller: Caller, tenantId: string): boolean {
  return caller.allTenants || tenantId === caller.tenantId;
}

function isForAction({ actions }: Restrictions, action: Action | null): boolean {
  return action === null || actions === null || actions.includes(action);
}

function notFor(what: string, limit?: keyof Restrictions): ServiceError {
  const reason = limit === undefined ? '' : `; its "${limit}" are others`;
  const message = `The credential does not allow this: ${what} needs one with fewer limits${reason}.`;
  return ServiceError.because('forbidden', because('token_limit', { limit: limit ?? null }), message);
}

/** Callers may read the quotas of their tenant, admins all quotas (behaviour 8.6). */
export function mayReadQuotas(caller: Caller, tenantId: string): boolean {
  return tenantId === caller.tenantId || isAdmin(caller);
}

/** Only admins may change templates that all tenants use (behaviour 28.3). */
export function mayShareWithAllTenants(caller: Caller): boolean {
  return isAdmin(caller);
}

/** Only admins may set a ttl below the configured minimum (behaviour 4.4). */
export function mayGoBelowMinimumTtl(caller: Caller): boolean {
  return isAdmin(caller);
}

/** Anyone can register names under a public suffix, so only admins may own its zone (behaviour 7.3). */
export function mayOwnPublicSuffix(caller: Caller): boolean {
  return isAdmin(caller);
}

/** Only admins may own a zone that contains a name server of the service: it controls all zones (behaviour 7.4). */
export function mayHoldNameServers(caller: Caller): boolean {
  return isAdmin(caller);
}

/** Callers reach the quotas of their tenant. Admins may act for a tenant or ask for all. */
export function mayReachQuotas(caller: Caller, tenantId: string): boolean {
  return caller.allTenants || tenantId === caller.tenantId;
}

export function mayUseBlacklistedNames(caller: Caller): boolean {
  return isAdmin(caller);
}
