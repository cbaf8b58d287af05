import { Injectable } from '@nestjs/common';
import { DomainName } from '../dns/name.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { managedIdOf, type ManagedType } from './changes/managed-sets.js';
import { RecordSetViewRepository, type ZoneView } from './record-set-view.repository.js';
import { ServedZone } from './served/served-zone.js';
import type { RecordSetView, ValueView } from './record-set-view.js';

/** Shows what the service makes itself as record sets: the SOA, and the NS of the apex (behaviour 13.4). */
@Injectable()
export class ManagedRecordSets {
  constructor(
    private readonly served: ServedZone,
    private readonly views: RecordSetViewRepository,
  ) {}

  /** Both, in the order in which lists have them. */
  async both(tx: Transaction, zone: ZoneView): Promise<readonly RecordSetView[]> {
    return [await this.show(tx, zone, 'SOA'), await this.show(tx, zone, 'NS')];
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
      version,
      createdAt,
      updatedAt: changedAt === createdAt ? null : changedAt,
      status,
      isManaged: true,
    };
  }

  /** Whether one of the name servers that are not stored is the one that is named. */
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
