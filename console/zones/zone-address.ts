/** The root has no name that browsers leave in a path: they take `.` and `%2E` out. */
const ROOT = '=2E';

/** `/zones/example.org./records`: names may have slashes (RFC 2317) and percent signs. */
export const zoneAddress = (zone: string, page: string): string =>
  `/zones/${zone === '.' ? ROOT : encodeURIComponent(zone)}/${page}`;

/** The page that shows which name servers have the zone. */
export const healthAddress = (zone: string): string => zoneAddress(zone, 'health');

/** The zone in a path below `/console`, as `zoneAddress` has written it. */
export function zoneIn(pathname: string): string {
  const [, , , name = ''] = pathname.split('/');
  if (name === ROOT) return '.';
  try {
    return decodeURIComponent(name);
  } catch {
    // The user typed a percent sign.
    return name;
  }
}
