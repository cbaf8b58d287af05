import type { ApexNs } from './generation.js';

/** What a caller says of a new zone, in its right shape. */
export interface NewZone {
  /** Absolute. */
  readonly name: string;
  /** The mailbox of the zone's administrator. */
  readonly email: string;
  /** Seconds; left out: the configured default. */
  readonly ttl?: number;
  /** Of the SOA, in seconds; `null` and left out: that of the zone. */
  readonly soaTtl?: number | null;
  readonly description?: string | null;
  readonly attributes?: ZoneAttributes;
  /** `null` and left out: those of the service's name servers. */
  readonly apexNs?: ApexNs | null;
  /** @internal */
  readonly keptFields?: StoredZoneFields;
}

/** The same of a zone whose records come from other name servers. */
export interface NewSecondaryZone {
  /** Absolute. */
  readonly name: string;
  /** At least one: `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:53`. */
  readonly masters: readonly string[];
  readonly description?: string | null;
  readonly attributes?: ZoneAttributes;
  /** @internal */
  readonly keptFields?: StoredZoneFields;
}

/** What an interface keeps of a zone for its clients. */
export type StoredZoneFields = object;

/** Free attributes that the service stores and ignores. */
export type ZoneAttributes = Readonly<Record<string, string>>;

/** What a caller changes of a zone; what is left out keeps its value. */
export interface ZoneUpdate {
  /** The name that the zone has already: zones are not renamed. */
  readonly name?: string;
  /** Of a primary zone only. */
  readonly email?: string;
  /** Of a primary zone only. */
  readonly ttl?: number;
  readonly description?: string | null;
  /** Of a secondary zone only. */
  readonly masters?: readonly string[];
  readonly attributes?: ZoneAttributes;
  /** Of a primary zone only; `null`: those of the service's name servers. */
  readonly apexNs?: ApexNs | null;
  /**
   * Whether a zone without a time of update gets one although nothing changes: version 1 answers with one (behaviour 6.2).
   * @internal
   */
  readonly setsUpdatedAt?: boolean;
  /**
   * Made of those that there are; they are not served, and not part of the history.
   * @internal
   */
  readonly keptFields?: (before: StoredZoneFields) => StoredZoneFields;
}
