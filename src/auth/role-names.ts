/** What others call our roles, in lower case. */
export interface RoleNames {
  readonly adminRoles: readonly string[];
  readonly readerRoles: readonly string[];
  /** `null`: all that are neither of an admin nor of a reader. */
  readonly memberRoles: readonly string[] | null;
}

/** Our roles for those that a credential names, each once; what has no meaning here is left out. */
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
