import type { Type } from '@nestjs/common';
import type { Instant } from '../common/clock.js';

/** One journal step of a zone. */
export interface ChangeEntry {
  /** The name as submitted at creation; the owner at that step. */
  readonly zone: {
    readonly id: string;
    readonly name: string;
    readonly tenantId: string;
    /** As they are when the entry is read; absent: none. */
    readonly labels?: Readonly<Record<string, string>>;
  };
  /** Counts the steps of a zone from 1 without gaps. Zone ID and number identify the entry permanently. */
  readonly number: number;
  /** Zone serial after the change. */
  readonly serial: number;
  /** Shared by all entries of one change. */
  readonly changeId: string;
  /**
   * `zone.create`, `zone.update`, `zone.delete`, `zone.serial`, `zone.transfer`, `zone.regenerate`, `record.create`, …
   */
  readonly action: string;
  /** `null` for a step of the zone itself. */
  readonly recordId: string | null;
  /** Complete snapshot of the record, or of the zone if `recordId` is `null`; `null` for a creation. */
  readonly before: ZoneSnapshot | RecordSnapshot | null;
  /** Complete snapshot; `null` for a deletion. */
  readonly after: ZoneSnapshot | RecordSnapshot | null;
  /** The requesting tenant. Differs from the owner when an admin acts for the owner. */
  readonly tenantId: string;
  readonly requestId: string;
  readonly at: Instant;
  /** Comment on the change, in its first entry; otherwise `null`. */
  readonly message: string | null;
}

/** Port: receives every change of every zone (behaviour 19). Each listener has its own name and positions. */
export abstract class ChangeListener {
  /**
   * Takes entries of one zone, in order and at least once. They count as processed when the promise resolves. If it
   * rejects, or does not resolve within 30 seconds, they are delivered again before later entries of the zone.
   * @param entries 1 to 256 entries with up to 1 MiB of snapshots; a single entry may be larger
   * @param signal aborted after 30 seconds and when the process stops
   */
  abstract receive(entries: readonly ChangeEntry[], signal: AbortSignal): Promise<void>;
}

/** A change listener of a plugin. */
export interface NamedListener {
  /** Lower-case letters, digits and hyphens, at most 63. Positions of the listener are stored under this name. */
  readonly name: string;
  /** Created by Nest, with the exports of plugin modules. */
  readonly listener: Type<ChangeListener>;
}

/** A zone in the journal. */
export interface ZoneSnapshot {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly description: string | null;
  readonly serial: number;
  /** `null` in old rows without it. */
  readonly generation: Generation | null;
  /** Only of a secondary zone. */
  readonly masters?: readonly string[];
  /** Absent and `null`: none. */
  readonly labels?: Readonly<Record<string, string>> | null;
  /** In the entry of a change of its labels: the record set. */
  readonly recordSet?: LabeledSet | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
  /** The owner, in entries that change it. */
  readonly tenantId?: string;
}

/** A record set with all its labels. */
export interface LabeledSet {
  /** Owner name. */
  readonly name: string;
  readonly type: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A record in the journal: shown and served fields. */
export interface RecordSnapshot {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
  /** In hexadecimal. */
  readonly rdata: string;
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
  /** Time of expiry; `null` and absent: never. */
  readonly expiresAt?: Instant | null;
}

/** Source of the generated SOA and apex NS of a zone. */
export interface Generation {
  /** The service's own name servers, absolute names; the first is the MNAME of the SOA. */
  readonly nameServers: readonly string[];
  /** Timers of the SOA record, in seconds (RFC 1035 §3.3.13, RFC 2308 §4). */
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly negativeTtl: number;
  /** SOA fields from the primary of a secondary zone, whose NS are records. */
  readonly authority?: Authority;
  /** The zone's own apex NS in place of the service's name servers. */
  readonly apexNs?: ApexNs;
  /** Seconds; absent: the ttl of the zone. */
  readonly soaTtl?: number;
}

/** Apex NS of a zone. Without names, the zone has the service's name servers. */
export interface ApexNs {
  /** Absolute names. */
  readonly names: readonly string[];
  /** Seconds; `null`: the ttl of the zone. */
  readonly ttl: number | null;
}

/** Absolute names. */
export interface Authority {
  readonly primary: string;
  readonly mailbox: string;
}
