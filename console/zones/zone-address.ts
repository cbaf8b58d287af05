/** The root has no name that browsers leave in a path: they take `.` and `%2E` out. */
const ROOT = '=2E';

/** `/zones/example.org./records`: names may have slashes, as those of RFC 2317, and percent signs. */
export const zoneAddress = (zone: string, page: string): string =>
  `/zones/${zone === '.' ? ROOT : encodeURIComponent(zone)}/${page}`;

/** The zone in a path below `/console`, as `zoneAddress` has written it. */
export function zoneIn(pathname: string): string {
  const [, , , name = ''] = pathname.split('/');
  if (name === ROOT) return '.';
  try {
    return decodeURIComponent(name);
  } catch {
    // Somebody has typed a percent sign.
    return name;
  }
}
