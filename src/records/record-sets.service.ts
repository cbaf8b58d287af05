import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { CollectionQuery } from '../common/collection-query.js';
import type { SearchClient } from '../common/waiting/search-turns.js';
import { type Labels, labelsOf } from '../common/labels.js';
import { ServiceError } from '../common/service-error.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { DomainName } from '../dns/name.js';
import { noSuchZone } from '../zones/zone.repository.js';
import { ZoneShareRepository } from '../zones/sharing/zone-share.repository.js';
import { ManagedRecordSets, managedTypeOf } from './managed-record-sets.js';
import { noSuchRecordSet } from './changes/operations-on-sets.js';
import { RecordChanges } from './changes/record-changes.js';
import type { RecordContent } from './record-content.js';
import type { ChangeResult } from './changes/change-request.js';
import {
  type CreateSetOperation,
  type DoneSetOperation,
  NO_NOTES,
  type RecordOperation,
} from './changes/record-operation.js';
import { descriptionOf } from './record-set.entity.js';
import { RecordSetLists, type RecordSetPage } from './lists/record-set-lists.js';
import { RecordSetViewRepository, type ZoneView } from './record-set-view.repository.js';
import type { RecordSetView } from './record-set-view.js';
import { refusalOfOne } from './changes/operation-list.js';

export type NewRecordSet = Omit<CreateSetOperation, 'action'>;

/** Update of a set. Absent fields keep their values. */
export interface RecordSetUpdate {
  readonly contents?: readonly RecordContent[] | undefined;
  readonly ttl?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly labels?: Labels | undefined;
}

/** Reads and changes whole record sets (behaviour 13.2, 13.4). */
@Injectable()
export class RecordSetsService {
  constructor(
    private readonly changes: RecordChanges,
    private readonly views: RecordSetViewRepository,
    private readonly managed: ManagedRecordSets,
    private readonly lists: RecordSetLists,
    private readonly shares: ZoneShareRepository,
    private readonly reads: Reads,
  ) {}

  /** @throws ServiceError `zone_not_found`, `record_set_not_found` */
  get(zoneId: string, id: string, caller: Caller): Promise<RecordSetView> {
    return this.reads.run(async (tx) => {
      const set = await this.views.find(tx, zoneId, id);
      if (set !== undefined && (maySee(caller, zoneOf(set, set.tenantId)) || isOwner(caller, set))) return set;
      const { zone, isGrantee } = await this.zoneIn(tx, zoneId, caller);
      const type = managedTypeOf(zoneId, id);
      if (type === null || isGrantee) throw noSuchRecordSet();
      return this.managed.show(tx, zone, type);
    });
  }

  /** @throws ServiceError `record_set_not_found` */
  async zoneIdOf(id: string, caller: Caller, searchClient: SearchClient): Promise<string> {
    const zoneId = await this.lists.zoneIdOf(id, caller, searchClient);
    if (zoneId === null) throw noSuchRecordSet();
    return zoneId;
  }

  /** @throws ServiceError `zone_not_found`, `marker_not_found`, `bad_filter` */
  async list(zoneId: string, query: CollectionQuery, caller: Caller): Promise<RecordSetPage> {
    const { zone, isGrantee } = await this.reads.run((tx) => this.zoneIn(tx, zoneId, caller));
    return isGrantee ? this.lists.ofGrantee(zone, caller, query) : this.lists.ofZone(zone, query);
  }

  /** The SOA and the apex NS that the service generates; none for grantees. @throws ServiceError `zone_not_found` */
  generated(zoneId: string, caller: Caller): Promise<readonly RecordSetView[]> {
    return this.reads.run(async (tx) => {
      const { zone, isGrantee } = await this.zoneIn(tx, zoneId, caller);
      return isGrantee ? [] : this.managed.generated(tx, zone);
    });
  }

  /** Lists sets of all zones that the caller sees. */
  listAll(query: CollectionQuery, caller: Caller): Promise<RecordSetPage> {
    return this.lists.ofAllZones(caller, query);
  }

  /** @throws ServiceError as `RecordChanges.apply` */
  async create(zoneId: string, set: NewRecordSet, caller: Caller): Promise<RecordSetView> {
    const { done, isByGrantee } = await this.apply(zoneId, caller, { action: 'create set', ...set });
    return shown(done, isByGrantee ? caller.tenantId : null);
  }

  /**
   * @param read returns the update of the set; name and type cannot change
   * @throws ServiceError `change_not_allowed` for a managed set, errors of `read`, and as `RecordChanges.apply`
   */
  async update(
    zoneId: string,
    id: string,
    read: (set: RecordSetView) => RecordSetUpdate,
    caller: Caller,
  ): Promise<RecordSetView> {
    const set = await this.get(zoneId, id, caller);
    if (!set.isManaged) {
      const key = { setId: id, ownerKey: keyOf(set), type: set.type };
      const operation = { action: 'update set' as const, ...key, ...read(set) };
      return shown((await this.apply(zoneId, caller, operation)).done, set.tenantId);
    }
    if (set.type === 'SOA' || caller.editsManaged !== true) throw isManaged(set);
    await this.updateApexNs(set, read(set), caller);
    return this.get(zoneId, id, caller);
  }

  /** Returns the set before its deletion. @throws ServiceError as `update` */
  async delete(zoneId: string, id: string, caller: Caller): Promise<RecordSetView> {
    const set = await this.get(zoneId, id, caller);
    if (set.isManaged) throw isManaged(set);
    const key = { setId: id, ownerKey: keyOf(set), type: set.type };
    const operation = { action: 'delete set' as const, ...key };
    return shown((await this.apply(zoneId, caller, operation)).done, set.tenantId);
  }

  private async apply(
    zoneId: string,
    caller: Caller,
    operation: RecordOperation,
  ): Promise<{ readonly done: DoneSetOperation; readonly isByGrantee: boolean }> {
    try {
      const change = await this.changes.apply(zoneId, caller, [operation]);
      return { done: setOf(change), isByGrantee: change.isByGrantee };
    } catch (error) {
      throw refusalOfOne(error);
    }
  }

  /** Replaces the stored apex name servers; the generated ones stay. */
  private async updateApexNs(
    set: RecordSetView,
    { contents, labels, ttl = set.ttl }: RecordSetUpdate,
    caller: Caller,
  ): Promise<void> {
    const { zoneId, type } = set;
    if (contents === undefined || labels !== undefined) throw isManaged(set);
    const { zone } = await this.reads.run((tx) => this.zoneIn(tx, zoneId, caller));
    const isOwn = ({ data }: { readonly data: string }): boolean => this.managed.isOwnNameServer(zone, data);
    if (contents.filter(isOwn).length < set.values.filter(isOwn).length) throw isManaged(set);
    const others = contents
      .filter((content) => !isOwn(content))
      .map((content) => ({ ...content, ttl, leftOut: NO_NOTES }));
    await this.changes.apply(zoneId, caller, [{ action: 'replace', ownerKey: zone.nameKey, type, contents: others }]);
  }

  private async zoneIn(tx: Transaction, zoneId: string, caller: Caller): Promise<SeenZone> {
    const zone = await this.views.findZone(tx, zoneId);
    if (zone === undefined) throw noSuchZone();
    if (maySee(caller, zone)) return { zone, isGrantee: false };
    if (await this.shares.isGrantee(tx, zoneId, caller)) return { zone, isGrantee: true };
    throw noSuchZone();
  }
}

interface SeenZone {
  readonly zone: ZoneView;
  /** Whether another tenant shares the zone with the caller. */
  readonly isGrantee: boolean;
}

function isOwner(caller: Caller, set: RecordSetView): boolean {
  return maySee(caller, zoneOf(set, set.zoneTenantId));
}

function isManaged({ type, name }: RecordSetView): ServiceError {
  const message = `The service makes the ${type} of ${name} itself; it cannot be changed.`;
  return new ServiceError('change_not_allowed', message);
}

function zoneOf({ zoneNameKey: nameKey }: RecordSetView, tenantId: string) {
  return { tenantId, nameKey };
}

function keyOf({ name }: RecordSetView): string {
  return DomainName.parse(name).key;
}

function setOf({ operations: [done] }: ChangeResult): DoneSetOperation {
  if (done === undefined || !('set' in done)) throw new Error('an operation was passed over');
  return done;
}

/** @param creator `null`: the zone owner */
function shown({ set, records, zone }: DoneSetOperation, creator: string | null): RecordSetView {
  const { id, zoneId, name, type, ttl, version, createdAt, updatedAt } = set;
  return {
    id,
    zoneId,
    zoneName: zone.name,
    zoneNameKey: zone.nameKey,
    zoneTenantId: zone.tenantId,
    tenantId: creator ?? zone.tenantId,
    name,
    type,
    values: records.map(({ priority, data }) => ({ priority, data })),
    ttl,
    description: descriptionOf(set, records),
    labels: labelsOf(set),
    version,
    createdAt,
    updatedAt,
    status: records.length > 0 ? 'PENDING' : 'ACTIVE',
    isManaged: false,
  };
}
