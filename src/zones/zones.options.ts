import type { Generation } from './generation.js';
import type { PublicSuffixCorrections } from './public-suffixes.js';

/** What zones need of the configuration. */
export abstract class ZonesOptions {
  /** ttl in seconds of a zone that is created without one. */
  abstract readonly defaultTtl: number;
  /** What SOA and apex NS are generated from. */
  abstract readonly generation: Generation;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
  abstract readonly publicSuffixes: PublicSuffixCorrections;
}
