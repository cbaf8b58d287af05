/** What the SOA and the apex NS of a zone are generated from, beside the zone itself. */
export interface Generation {
  /** The service's own name servers, absolute names; the first is the primary of the SOA record. */
  readonly nameServers: readonly string[];
  /** Timers of the SOA record, in seconds (RFC 1035 §3.3.13, RFC 2308 §4). */
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly negativeTtl: number;
  /** Of a secondary zone: what its masters' SOA says of itself. Its NS are records, and none are made. */
  readonly authority?: Authority;
  /** NS of the zone's own, in place of those of the service's name servers. */
  readonly apexNs?: ApexNs;
  /** Seconds; left out: the zone's. */
  readonly soaTtl?: number;
}

/** Without names, those of the service's name servers are served. */
export interface ApexNs {
  /** Absolute names. */
  readonly names: readonly string[];
  /** Seconds; `null`: the zone's. */
  readonly ttl: number | null;
}

/** The name servers that the apex of a zone has NS records of. */
export function servedNameServers({
  nameServers,
  apexNs,
}: Pick<Generation, 'nameServers' | 'apexNs'>): readonly string[] {
  return apexNs !== undefined && apexNs.names.length > 0 ? apexNs.names : nameServers;
}

/** The TTL that the SOA of a zone is served with, in seconds. */
export function servedSoaTtl({ ttl, soaTtl }: { readonly ttl: number; readonly soaTtl: number | null }): number {
  return soaTtl ?? ttl;
}

/** Absolute names. */
export interface Authority {
  readonly primary: string;
  readonly mailbox: string;
}

/** The same from the configuration's parts. */
export function generationOf(central: ConfiguredGeneration): Generation {
  return { nameServers: central.nameServers, ...central.soaTimers };
}

interface ConfiguredGeneration extends Pick<Generation, 'nameServers'> {
  readonly soaTimers: Omit<Generation, 'nameServers'>;
}
