/** What the SOA and the apex NS of a zone are generated from, beside the zone itself. */
export interface Generation {
  /** The service's own name servers, absolute names; the first is the primary of the SOA record. */
  readonly nameServers: readonly string[];
  /** Timers of the SOA record, in seconds (RFC 1035 §3.3.13, RFC 2308 §4). */
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly negativeTtl: number;
}

/** As RFC 1912 §2.2 and RFC 2308 §5 advise. */
const TIMERS = { refresh: 3600, retry: 600, expire: 1_209_600, negativeTtl: 3600 };

export function generationOf(nameServers: readonly string[]): Generation {
  return { nameServers, ...TIMERS };
}
