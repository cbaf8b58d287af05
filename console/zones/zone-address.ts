/** `/zones/example.org./records`: names may have slashes, as those of RFC 2317, and percent signs. */
export const zoneAddress = (zone: string, page: string): string => `/zones/${encodeURIComponent(zone)}/${page}`;

/** The zone in a path below `/console`, as `zoneAddress` has written it. */
export function zoneIn(pathname: string): string {
  const [, , , name = ''] = pathname.split('/');
  try {
    return decodeURIComponent(name);
  } catch {
    // Somebody has typed a percent sign.
    return name;
  }
}
