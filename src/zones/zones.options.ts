import type { Generation } from './generation.js';

/** What zones need of the configuration. */
export interface ZonesOptions {
  /** ttl in seconds of a zone that is created without one. */
  readonly defaultTtl: number;
  /** What SOA and apex NS are generated from. */
  readonly generation: Generation;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
}

export const ZONES_OPTIONS = Symbol('ZonesOptions');
