/** A version of the interface, as clients discover it. */
export interface Version {
  readonly id: string;
  readonly status: 'CURRENT' | 'SUPPORTED' | 'DEPRECATED';
  /** Where it is: `/v1`. */
  readonly path: string;
}

export const VERSION_1: Version = { id: 'v1', status: 'DEPRECATED', path: '/v1' };
export const VERSION_2: Version = { id: 'v2.1', status: 'CURRENT', path: '/v2' };

/**
 * With the minor versions of 2. Clients find out with them that there is a version 2 at all; gophercloud refuses a service
 * with another word for a status.
 */
const ALL_VERSIONS: readonly Version[] = [
  VERSION_1,
  { id: 'v2', status: 'SUPPORTED', path: '/v2' },
  // With it came the sharing of zones.
  VERSION_2,
  { id: 'v2.0', status: 'SUPPORTED', path: '/v2' },
];

/** Those that this service shows. */
export abstract class Versions {
  abstract readonly all: readonly Version[];
}

export function versionsOf({ enableV2 }: { readonly enableV2: boolean }): Versions {
  return { all: enableV2 ? ALL_VERSIONS : [VERSION_1] };
}
