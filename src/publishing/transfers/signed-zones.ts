import type { Transaction } from '../../database/transaction.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import type { DomainName } from '../../dns/name.js';
import type { ResourceRecord } from '../../dns/message/resource-record.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** A set with its signatures. Where the records of the zone are signed, `rdatas` is empty: they are in the zone. */
export interface SignedSet extends WireSet {
  /** Each as RDATA of RRSIG. */
  readonly signatures: readonly Uint8Array[];
}

/** A record of class IN. */
export type WireRecord = Omit<ResourceRecord, 'class'>;

/** What leads from one published serial to the present one. */
export interface SignedDifference {
  readonly before: WireRecord;
  readonly now: WireRecord;
  /** Without the SOA records. */
  readonly removed: readonly WireRecord[];
  readonly added: readonly WireRecord[];
}

/** How the records of its contents are in a signed zone. */
export interface SignedForm {
  /** Longer ttls are cut to this, in seconds. */
  readonly maxTtl: number;
  /** Whether SVCB and HTTPS have their targets in lower case. */
  readonly isFolded: boolean;
}

/** The port through which whoever signs zones says what name servers are sent of a zone beside its contents. */
export abstract class SignedZones {
  /**
   * Resolves when the latest contents are published, or soon, whatever is in the way.
   * @param zoneId of a zone that has been published
   */
  abstract whenPublished(zoneId: string): Promise<void>;

  /**
   * Whether a zone is to be published above a serial that a name server has and this database has never had. One that others look
   * for signatures of is not: they may be of keys that came after a backup that was restored.
   */
  abstract mayOvertake(zoneId: string, serial: number, server: string): Promise<boolean>;

  /** The form in which the contents of the zone are signed. */
  abstract formOf(tx: Transaction, zone: ZoneEntity): Promise<SignedForm>;

  /** Whether a set is made by whoever signs, so that records of a zone are none of it. */
  abstract isMade(set: Pick<WireSet, 'owner' | 'type'>, apex: DomainName): boolean;

  /** The SOA as it is published; `null` where the zone is not published as signed. */
  abstract soa(tx: Transaction, zoneId: string): Promise<WireRecord | null>;

  /** All other sets that are made, and the signatures of all, portion by portion. */
  abstract sets(tx: Transaction, zoneId: string): AsyncIterable<readonly SignedSet[]>;

  /** `null` where it is not known what differs, or it is longer than the zone. */
  abstract since(tx: Transaction, zoneId: string, serial: number): Promise<SignedDifference | null>;
}
