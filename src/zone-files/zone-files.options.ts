/** What zone files need of the configuration. */
export abstract class ZoneFilesOptions {
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
}
