/** What roles there are; whatever else a credential of somebody else names is read by the rules of that one. */
export const BUILT_IN_ROLES = ['admin', 'member', 'reader'] as const;

/** What a word meant before tokens were held to these roles: the rights of a member (behaviour 3.3). */
export function meaningOf(role: string): string {
  return isBuiltInRole(role) ? role : 'member';
}

export function isBuiltInRole(role: string): boolean {
  return (BUILT_IN_ROLES as readonly string[]).includes(role);
}

/** The roles in a list with commas, in lower case: `Reader` in a header must not be more than `reader` is. */
export function readRoles(list: string): string[] {
  return list
    .split(',')
    .map((role) => role.trim().toLowerCase())
    .filter((role) => role !== '');
}
