/** What of the configuration a program has to know before it asks for anything else (behaviour 3.7). */
export abstract class ServiceInfo {
  /** The extensions of version 1 that are switched on. */
  abstract readonly extensions: readonly string[];
  /** The same of the admin API. */
  abstract readonly adminExtensions: readonly string[];
  abstract readonly nameServers: readonly string[];
  /** Whether there are name servers that are asked for the serials of zones. */
  abstract readonly publishes: boolean;
  /** Of a new zone, in seconds. */
  abstract readonly defaultTtl: number;
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
  /** Entries of one change set. */
  abstract readonly maxChanges: number;
  /** In octets. */
  abstract readonly maxBodySize: number;
  /** Whether records may have a time at which the service removes them. */
  abstract readonly expiringRecords: boolean;
}
