/** The roles in a list with commas, in lower case: `Reader` in a header must not be more than `reader` is. */
export function readRoles(list: string): string[] {
  return list
    .split(',')
    .map((role) => role.trim().toLowerCase())
    .filter((role) => role !== '');
}
