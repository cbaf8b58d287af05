import type { SqlValue } from '../../database/statements/sql-value.js';
import { readApexNs } from '../../zones/apex-ns.js';
import type { PublicationStatus } from '../../zones/zone-publication.js';
import { managedIdOf, type ManagedType } from './managed-sets.js';

/** A set as far as lists of sets compare it; its records are not read for that. */
export interface SetCandidate {
  readonly id: string;
  readonly zoneId: string;
  readonly ownerKey: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  /** That of the set; `null`: the one that its first record has. */
  readonly description: string | null;
  /** `null` where nobody has asked. */
  readonly status: PublicationStatus | null;
  /** Whose it is. */
  readonly tenantId: string;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly recordCount: number;
  /** Of the RDATA of its records. */
  readonly octets: number;
  /** Which of those it is that the service makes; `null` for what is stored. */
  readonly managed: ManagedType | null;
}

/** A zone whose sets are gone through. */
export interface SearchedZone {
  readonly id: string;
  readonly name: string;
  readonly nameKey: string;
  readonly tenantId: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly recordSetCount: number;
  /** That of the NS records that are stored at the apex. */
  readonly apexNsTtl: number | null;
  /** As the zone stores those of its own. */
  readonly apexNs: string | null;
  /** Of the SOA's own. */
  readonly soaTtl: number | null;
  readonly status: PublicationStatus | null;
}

/** As `ManagedRecordSets` shows it. */
export function managedCandidate(zone: SearchedZone, type: ManagedType): SetCandidate {
  return {
    id: managedIdOf(zone.id, type),
    zoneId: zone.id,
    ownerKey: zone.nameKey,
    name: zone.name,
    type,
    ttl: type === 'SOA' ? zone.soaTtl : (zone.apexNsTtl ?? readApexNs(zone)?.ttl ?? null),
    description: null,
    status: zone.status,
    tenantId: zone.tenantId,
    createdAt: zone.createdAt,
    updatedAt: zone.changedAt === zone.createdAt ? null : zone.changedAt,
    recordCount: 0,
    octets: 0,
    managed: type,
  };
}

/** What lists are filtered and sorted by that needs no look at records, by the names that filters and sort keys have. */
export const CANDIDATE_COLUMNS = {
  id: { kind: 'exact', of: ({ id }: SetCandidate): SqlValue => id },
  name: { kind: 'text', of: ({ name }: SetCandidate): SqlValue => name.toLowerCase() },
  type: { kind: 'text', of: ({ type }: SetCandidate): SqlValue => type },
  ttl: { kind: 'number', of: ({ ttl }: SetCandidate): SqlValue => ttl },
  status: { kind: 'text', of: ({ status }: SetCandidate): SqlValue => status },
  zone_id: { kind: 'exact', of: ({ zoneId }: SetCandidate): SqlValue => zoneId },
  tenant_id: { kind: 'exact', of: ({ tenantId }: SetCandidate): SqlValue => tenantId },
  created_at: { kind: 'number', of: ({ createdAt }: SetCandidate): SqlValue => createdAt },
  updated_at: { kind: 'number', of: ({ updatedAt }: SetCandidate): SqlValue => updatedAt },
} as const;
