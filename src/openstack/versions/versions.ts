export interface Version {
  readonly id: string;
  readonly status: 'CURRENT' | 'SUPPORTED' | 'DEPRECATED';
  /** Such as `/v1`. */
  readonly path: string;
}

export const VERSION_1: Version = { id: 'v1', status: 'DEPRECATED', path: '/v1' };
export const VERSION_2: Version = { id: 'v2.1', status: 'CURRENT', path: '/v2' };

/** Includes the minor versions, by which clients discover version 2. gophercloud rejects other status values. */
const ALL_VERSIONS: readonly Version[] = [
  VERSION_1,
  { id: 'v2', status: 'SUPPORTED', path: '/v2' },
  // Added zone shares.
  VERSION_2,
  { id: 'v2.0', status: 'SUPPORTED', path: '/v2' },
];

export abstract class Versions {
  abstract readonly all: readonly Version[];
}

export function versionsOf({ enableV2 }: { readonly enableV2: boolean }): Versions {
  return { all: enableV2 ? ALL_VERSIONS : [VERSION_1] };
}
