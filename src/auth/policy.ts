import type { Caller } from '../common/caller.js';
import type { Action, Restrictions } from '../common/restrictions.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import { plainNameOfKey } from '../dns/name-key.js';
import { limitsWork } from './scopes/token-scope.js';
import { matchesPattern } from './scopes/name-pattern.js';
import { isAddressWithin } from '../common/network/network.js';

/** Who may do what (behaviour 3). Guards, repositories and services ask here; roles are looked at nowhere else. */

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

/** Whose credential names no tenant may only do what is about none, or about all (behaviour 14.1). */
export function mayCallForNobody(identity: WithRoles): boolean {
  return isAdmin(identity);
}

/** Only admins may change what the service manages itself, or have a zone forgotten at once. */
export function mayGoBeyondRules(identity: WithRoles): boolean {
  return isAdmin(identity);
}

/**
 * A caller sees the zones that its tenant owns, and of those only what its token is for; an admin may ask to see what every
 * tenant owns (behaviour 3.2, 14.2).
 */
export function maySee(caller: Caller, { tenantId, nameKey }: OwnedZone): boolean {
  return isForTenant(caller, tenantId) && isForZone(caller, { nameKey });
}

/** What a caller is in a zone: its owner or who acts for it, a grantee that has record sets of its own there, or nobody. */
export type CallerRole = 'owner' | 'grantee' | 'none';

/**
 * A caller is a grantee in a zone that is shared with its tenant, if its token is for that zone (behaviour 13.10, 14.2).
 * @param isShared with the caller's tenant
 */
export function roleIn(caller: Caller, zone: OwnedZone, isShared: boolean): CallerRole {
  if (maySee(caller, zone)) return 'owner';
  return isShared && isForZone(caller, zone) ? 'grantee' : 'none';
}

/** As `maySee`, of what is beside zones: a token that is limited to some work has no part in it. */
export function mayManage(caller: Caller, { tenantId }: OwnedByTenant): boolean {
  return isForTenant(caller, tenantId) && !isScoped(caller);
}

/**
 * Whether a caller is shown what lets its holder act, such as the key of a transfer request or the URL of a webhook: only a
 * caller who may make such a thing (behaviour 3.9).
 */
export function maySeeSecrets(caller: Caller, owned: OwnedByTenant): boolean {
  return mayWrite(caller) && mayManage(caller, owned);
}

/** The names of the zones that a caller's token is for; `null`: all. */
export function zonesOf({ restrictions }: MaybeRestricted): readonly string[] | null {
  return restrictions?.domains ?? null;
}

/** Whether a caller's token is for the zone, whosever it is: also of those that are shared with its tenant it sees no others. */
export function isForZone({ restrictions }: MaybeRestricted, { nameKey }: Pick<OwnedZone, 'nameKey'>): boolean {
  const domains = restrictions?.domains ?? null;
  return domains === null || domains.includes(plainNameOfKey(nameKey));
}

/** Whether what a caller may do is limited, and not only from where (behaviour 14.2). */
export function isScoped({ restrictions }: MaybeRestricted): boolean {
  return restrictions !== undefined && limitsWork(restrictions);
}

/** A credential may be good for some networks only. */
export function mayComeFrom({ restrictions }: MaybeRestricted, address: string): boolean {
  const networks = restrictions?.networks ?? null;
  return networks === null || isAddressWithin(address, networks);
}

/**
 * Every change of a record, however it is asked for, is held against this (behaviour 14.2).
 * @param action `null` for what may leave the record set as it is
 * @param set its type is `null` where that is still to be judged
 * @throws ServiceError `forbidden`
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
 * Every change of a zone itself is held against this. A token that is limited to names or types is for records alone.
 * @param action `null` for what is neither making, changing nor deleting it
 * @throws ServiceError `forbidden`
 */
export function assertMayChangeZone(caller: MaybeRestricted, action: Action | null, { nameKey }: OwnedZone): void {
  const { restrictions } = caller;
  if (restrictions === undefined || !isScoped(caller)) return;
  const isForWhole = restrictions.names === null && restrictions.types === null;
  if (action !== null && isForWhole && isForAction(restrictions, action) && isForZone(caller, { nameKey })) return;
  throw notFor(`to ${action ?? 'hand on'} ${plainNameOfKey(nameKey)} itself`);
}

/**
 * Who names the masters of a secondary zone decides what becomes of all its records.
 * @throws ServiceError `forbidden` for a token that lacks one of the actions
 */
export function assertMayNameMasters(caller: MaybeRestricted, zone: OwnedZone): void {
  for (const action of ['create', 'update', 'delete'] as const) assertMayChangeZone(caller, action, zone);
}

/** @throws ServiceError `forbidden` for a token that is limited to some work */
export function assertNotScoped(caller: MaybeRestricted, what: string): void {
  if (isScoped(caller)) throw notFor(what);
}

function isForTenant(caller: Caller, tenantId: string): boolean {
  return caller.allTenants || tenantId === caller.tenantId;
}

function isForAction({ actions }: Restrictions, action: Action | null): boolean {
  return action === null || actions === null || actions.includes(action);
}

/** @param limit which of its limits stands against it */
function notFor(what: string, limit?: keyof Restrictions): ServiceError {
  const reason = limit === undefined ? '' : `; its "${limit}" are others`;
  const message = `The credential does not allow this: ${what} needs one with fewer limits${reason}.`;
  return ServiceError.because('forbidden', because('token_limit', { limit: limit ?? null }), message);
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

/** A project's quotas are its own, an admin's who acts for it, and an admin's who asked to reach all projects. */
export function mayReachQuotas(caller: Caller, tenantId: string): boolean {
  return caller.allTenants || tenantId === caller.tenantId;
}

/** Names that a blacklist keeps from everybody are for who runs the service. */
export function mayUseBlacklistedNames(caller: Caller): boolean {
  return isAdmin(caller);
}
