import type { Transaction } from '../../database/transaction.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import type { DomainName } from '../../dns/name.js';
import type { ResourceRecord } from '../../dns/message/message.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** A set with its signatures. If the zone contains the signed records, `rdatas` is empty. */
export interface SignedSet extends WireSet {
  /** RRSIG RDATA. */
  readonly signatures: readonly Uint8Array[];
}

/** A record of class IN. */
export type WireRecord = Omit<ResourceRecord, 'class'>;

export interface SignedDifference {
  readonly before: WireRecord;
  readonly now: WireRecord;
  /** Without SOA records. */
  readonly removed: readonly WireRecord[];
  readonly added: readonly WireRecord[];
}

export interface SignedForm {
  /** Maximum TTL in seconds. */
  readonly maxTtl: number;
  /** Whether SVCB and HTTPS targets are in lower case. */
  readonly isFolded: boolean;
}

/** Port of the signer: the records that signing adds to a zone, and signed differences. */
export abstract class SignedZones {
  /** Resolves when the latest contents are published, or after a short timeout. */
  abstract whenPublished(zoneId: string): Promise<void>;

  /**
   * Whether the zone may be published above an unknown serial of a name server. Not if others look for signatures of
   * keys that were created after a restored backup.
   */
  abstract mayOvertake(zoneId: string, serial: number, server: string): Promise<boolean>;

  abstract formOf(tx: Transaction, zone: ZoneEntity): Promise<SignedForm>;

  /** Whether signing generates this set, so that it replaces stored records. */
  abstract isMade(set: Pick<WireSet, 'owner' | 'type'>, apex: DomainName): boolean;

  /** Returns the published SOA; `null` for unsigned zones. */
  abstract soa(tx: Transaction, zoneId: string): Promise<WireRecord | null>;

  /** Yields all other generated sets and all signatures, in portions. */
  abstract sets(tx: Transaction, zoneId: string): AsyncIterable<readonly SignedSet[]>;

  /** Returns `null` if the difference is unknown or longer than the zone. */
  abstract since(tx: Transaction, zoneId: string, serial: number): Promise<SignedDifference | null>;
}
