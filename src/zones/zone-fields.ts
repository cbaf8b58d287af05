/** What a caller says of a new zone, in its right shape. */
export interface NewZone {
  /** Absolute. */
  readonly name: string;
  /** The mailbox of who answers for the zone. */
  readonly email: string;
  /** Seconds; left out: the configured default. */
  readonly ttl?: number;
  readonly description?: string | null;
}

/** What a caller changes of a zone; what is left out keeps its value. */
export interface ZoneUpdate {
  /** The name that the zone has already: zones are not renamed. */
  readonly name?: string;
  readonly email?: string;
  readonly ttl?: number;
  readonly description?: string | null;
}
