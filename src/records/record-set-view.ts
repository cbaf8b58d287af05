import type { Instant } from '../common/clock.js';
import type { PublicationStatus } from '../zones/zone-publication.js';

/** A record set with its records, as far as clients see it. */
export interface RecordSetView {
  readonly id: string;
  readonly zoneId: string;
  readonly zoneName: string;
  /** `DomainName.key` of it. */
  readonly zoneNameKey: string;
  /** The project that owns the zone. */
  readonly zoneTenantId: string;
  /** Who has made it: the owner of the zone, or a tenant that the zone is shared with. */
  readonly tenantId: string;
  /** The owner name as it was first written. */
  readonly name: string;
  readonly type: string;
  /** In the order of their creation. */
  readonly values: readonly ValueView[];
  /** Seconds; `null`: the zone's. */
  readonly ttl: number | null;
  readonly description: string | null;
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
  readonly status: PublicationStatus;
  /** The service makes it itself. */
  readonly isManaged: boolean;
}

/** The value of one record, as it was sent. */
export interface ValueView {
  readonly priority: number | null;
  readonly data: string;
}
