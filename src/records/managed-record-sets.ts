import { Injectable } from '@nestjs/common';
import { DomainName } from '../dns/name.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { RecordSetViewRepository, type ZoneView } from './record-set-view.repository.js';
import { ServedZone } from './served/served-zone.js';
import type { RecordSetView, ValueView } from './record-set-view.js';

/** Shows the generated SOA and apex NS as record sets (behaviour 13.4). */
@Injectable()
export class ManagedRecordSets {
  constructor(
    private readonly served: ServedZone,
    private readonly views: RecordSetViewRepository,
  ) {}

  async both(tx: Transaction, zone: ZoneView): Promise<readonly RecordSetView[]> {
    return [await this.show(tx, zone, 'SOA'), await this.show(tx, zone, 'NS')];
  }

  /** Both without the apex NS records that are stored. */
  async generated(tx: Transaction, zone: ZoneView): Promise<readonly RecordSetView[]> {
    const [soa, ns] = [await this.show(tx, zone, 'SOA'), await this.show(tx, zone, 'NS')];
    return [soa, { ...ns, values: this.nameServersOf(zone, []) }];
  }

  async show(tx: Transaction, zone: ZoneView, type: ManagedType): Promise<RecordSetView> {
    const { id, tenantId, name, nameKey, version, createdAt, changedAt, status, apexNsSets, soaTtl } = zone;
    const stored = type === 'NS' && apexNsSets > 0 ? await this.views.apexNs(tx, id, nameKey) : NO_NS;
    return {
      id: managedIdOf(id, type),
      zoneId: id,
      zoneName: name,
      zoneNameKey: nameKey,
      zoneTenantId: tenantId,
      tenantId,
      name,
      type,
      values: type === 'SOA' ? [this.soaOf(zone)] : this.nameServersOf(zone, stored.values),
      ttl: type === 'SOA' ? soaTtl : (stored.ttl ?? this.served.apexNsTtlOf(zone)),
      description: null,
      labels: {},
      version,
      createdAt,
      updatedAt: changedAt === createdAt ? null : changedAt,
      status,
      isManaged: true,
    };
  }

  /** Whether `name` is an apex name server that is not a stored record. */
  isOwnNameServer(zone: Readonly<ZoneEntity>, name: string): boolean {
    const named = DomainName.parse(name);
    return this.served.nameServersOf(zone).some((own) => DomainName.parse(own).equals(named));
  }

  private soaOf(zone: Readonly<ZoneEntity>): ValueView {
    return { priority: null, data: this.served.soaTextOf(zone) };
  }

  private nameServersOf(zone: Readonly<ZoneEntity>, stored: readonly ValueView[]): ValueView[] {
    const own = this.served.nameServersOf(zone).map((data) => ({ priority: null, data }));
    return stored.length === 0 ? own : [...own, ...stored.filter(({ data }) => !this.isOwnNameServer(zone, data))];
  }
}

const NO_NS = { values: [], ttl: null };

/**
 * Generated SOA and apex NS sets are not stored (behaviour 6.5). Their ids derive from the zone id: UUID version 8 (RFC
 * 9562 §5.8), with a variant that tells the two apart.
 */

export type ManagedType = 'SOA' | 'NS';

const VARIANTS: Readonly<Record<ManagedType, string>> = { SOA: '8', NS: '9' };
const VERSION_AT = 14;
const VARIANT_AT = 19;
const ZONE_VERSIONS = ['7', '4'];
const ZONE_VARIANTS = ['8', '9', 'a', 'b'];

export function managedIdOf(zoneId: string, type: ManagedType): string {
  return replaced(zoneId, '8', VARIANTS[type]);
}

export function managedTypeOf(zoneId: string, id: string): ManagedType | null {
  if (id === managedIdOf(zoneId, 'SOA')) return 'SOA';
  return id === managedIdOf(zoneId, 'NS') ? 'NS' : null;
}

/** Possible zone ids for the id of a managed set; empty for other ids. */
export function zoneIdsOfManaged(id: string): string[] {
  if (id[VERSION_AT] !== '8') return [];
  return ZONE_VERSIONS.flatMap((version) => ZONE_VARIANTS.map((variant) => replaced(id, version, variant)));
}

function replaced(id: string, version: string, variant: string): string {
  return id.slice(0, VERSION_AT) + version + id.slice(VERSION_AT + 1, VARIANT_AT) + variant + id.slice(VARIANT_AT + 1);
}
