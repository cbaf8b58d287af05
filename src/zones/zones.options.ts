import type { Generation } from './generation.js';
import type { PublicSuffixCorrections } from './names/public-suffixes.js';

/** What zones need of the configuration. */
export abstract class ZonesOptions {
  /** ttl in seconds of a zone that is created without one. */
  abstract readonly defaultTtl: number;
  /** What SOA and apex NS are generated from. */
  abstract readonly generation: Generation;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
  abstract readonly publicSuffixes: PublicSuffixCorrections;
  abstract readonly retention: HistoryRetention;
  /** Whether there are name servers that zones of other servers could be handed to. */
  abstract readonly takesSecondaryZones: boolean;
  /** Where the masters of secondary zones may be: addresses and networks; empty: at any public address. */
  abstract readonly masters: readonly string[];
  /** The name of the catalog zone, which no other zone has; `null`: there is none. */
  abstract readonly catalogName: string | null;
}

/** In days; `null`: for ever. */
export interface HistoryRetention {
  readonly historyDays: number | null;
  /** For what is left of a zone, from its deletion on. */
  readonly deletedHistoryDays: number | null;
}
