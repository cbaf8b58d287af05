import type { Labels } from '../common/labels.js';
import type { Instant } from '../common/clock.js';
import type { PublicationStatus } from '../zones/zone-publication.js';
import type { RecordTypes } from '../dns/rdata/index.js';

export interface RecordSetView {
  readonly id: string;
  readonly zoneId: string;
  readonly zoneName: string;
  readonly zoneNameKey: string;
  /** Project that owns the zone. */
  readonly zoneTenantId: string;
  /** Creator: the zone owner, or a tenant that shares the zone. */
  readonly tenantId: string;
  /** Owner name as first sent. */
  readonly name: string;
  readonly type: string;
  /** In order of creation. */
  readonly values: readonly ValueView[];
  /** Seconds; `null`: TTL of the zone. */
  readonly ttl: number | null;
  readonly description: string | null;
  readonly labels: Labels;
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
  readonly status: PublicationStatus;
  readonly isManaged: boolean;
}

export interface ValueView {
  readonly priority: number | null;
  readonly data: string;
}

/** A priority without leading zeros, one blank, and the rest. */
const WITH_PRIORITY = /^(0|[1-9]\d{0,4}) ([^]*)$/;

/** Joins a value into one text. For MX and SRV, the priority is the first word (behaviour 13.2). */
export function textOfValue({ priority, data }: ValueView): string {
  return priority === null ? data : `${priority} ${data}`;
}

/** Parses such a text. Without a priority, the record type reports the error. */
export function valueOf(types: RecordTypes, type: string, text: string): ValueView {
  const [, priority, data] = types.byName(type)?.priority === 'required' ? (WITH_PRIORITY.exec(text) ?? []) : [];
  if (priority === undefined || data === undefined) return { priority: null, data: text };
  return { priority: Number(priority), data };
}
