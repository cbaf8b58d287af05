/** Roles of tokens. External credentials are mapped by `builtInRoles`. */
export const BUILT_IN_ROLES = ['admin', 'member', 'reader'] as const;

/** Old tokens may have other words, which mean member (behaviour 3.3). */
export function meaningOf(role: string): string {
  return isBuiltInRole(role) ? role : 'member';
}

export function isBuiltInRole(role: string): boolean {
  return (BUILT_IN_ROLES as readonly string[]).includes(role);
}

/** Reads a list with commas. Lower case, because `Reader` in a header must not be more than `reader`. */
export function readRoles(list: string): string[] {
  return list
    .split(',')
    .map((role) => role.trim().toLowerCase())
    .filter((role) => role !== '');
}

export interface RoleNames {
  readonly adminRoles: readonly string[];
  readonly readerRoles: readonly string[];
  /** `null`: every role that is neither admin nor reader. */
  readonly memberRoles: readonly string[] | null;
}

/** Maps external to built-in roles, without duplicates. Omits unmapped roles. */
export function builtInRoles(theirs: readonly string[], names: RoleNames): string[] {
  const ours = theirs.map((role) => ourRole(role.toLowerCase(), names));
  return [...new Set(ours.filter((role) => role !== null))];
}

function ourRole(role: string, { adminRoles, readerRoles, memberRoles }: RoleNames): string | null {
  if (adminRoles.includes(role)) return 'admin';
  if (memberRoles?.includes(role) === true) return 'member';
  if (readerRoles.includes(role)) return 'reader';
  return memberRoles === null ? 'member' : null;
}
