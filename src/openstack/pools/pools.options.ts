/** What pools need of the configuration. */
export abstract class PoolsOptions {
  /** Absolute names of the name servers that zones have; the first is the primary. */
  abstract readonly nameServers: readonly string[];
}
