/** What zone files need of the configuration. */
export interface ZoneFilesOptions {
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  readonly minTtl: number | null;
}

export const ZONE_FILES_OPTIONS = Symbol('ZoneFilesOptions');
