import type { DomainName } from '../../dns/name.js';
import type { Question, ResourceRecord } from '../../dns/message/message.js';
import type { AnswerSection } from '../../dns/message/transfer-writer.js';

export type { AnswerSection };

export interface PublishedZone {
  readonly id: string;
  readonly name: DomainName;
  readonly serial: number;
  /** RDATA of the SOA record. */
  readonly soa: Uint8Array;
  /** TTL of the SOA record, in seconds. */
  readonly ttl: number;
  readonly awaitsSigning?: boolean;
  /** The owner; undefined for the catalog zone. */
  readonly tenantId?: string;
}

/** Answer from one zone (RFC 1034 §4.3.2). */
export interface ZoneAnswer {
  readonly rcode: number;
  readonly isAuthoritative: boolean;
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
}

/** A zone or difference as answer sections, rendered once and sent many times (RFC 5936 §2.2, RFC 1995 §4). */
export interface Copy {
  readonly serial: number;
  /** Size of all messages. */
  readonly octets: number;
  /** Yields the sections in order. Holds no database resources while the consumer waits. */
  sections(): AsyncIterable<AnswerSection>;
  /** Releases the copy after reading, so that it can be evicted. */
  release(): void;
}

/** The zones of the name server. Methods throw ServiceError `unavailable`, and `zone_not_found` for a deleted zone. */
export abstract class ZoneSource {
  /** Returns the closest zone that encloses the name, or `null`. Batches lookups of one event loop turn. */
  abstract find(name: DomainName): Promise<PublishedZone | null>;

  abstract axfr(zone: PublishedZone, gone: AbortSignal): Promise<Copy>;

  /** Returns the difference in one step (RFC 1995 §4), or `null` if the whole zone has to be sent. */
  abstract ixfr(zone: PublishedZone, serial: number, gone: AbortSignal): Promise<Copy | null>;

  /** Returns `null` if the zone can only be transferred. */
  abstract query(zone: PublishedZone, question: Question): Promise<ZoneAnswer | null>;
}
