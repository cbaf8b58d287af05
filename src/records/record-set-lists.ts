import { Injectable } from '@nestjs/common';
import { isForZone, maySee, zonesOf } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { CollectionQuery } from '../common/collection-query.js';
import { ServiceError } from '../common/service-error.js';
import type { Condition } from '../database/filtered-pages.js';
import type { Transaction } from '../database/transaction.js';
import { nameOrNull } from '../dns/name.js';
import { parseOwnerName } from '../dns/owner-name.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { ZoneShareRepository } from '../zones/zone-share.repository.js';
import { zonesOfToken } from '../zones/zones-of-token.js';
import { ManagedRecordSets } from './managed-record-sets.js';
import { managedIdOf, type ManagedType, managedTypeOf, zoneIdsOfManaged } from './managed-sets.js';
import { RecordSetCreatorRepository } from './record-set-creator.repository.js';
import {
  hasValue,
  RecordSetViewRepository,
  type SetPage,
  type ViewedSet,
  type ZoneView,
} from './record-set-view.repository.js';
import type { ShownRecordSet } from './shown-record-set.js';

/** A page of a list of record sets. */
export interface RecordSetPage {
  readonly sets: readonly ShownRecordSet[];
  readonly hasNext: boolean;
  /** Of all pages. */
  readonly total: number;
}

/** The same as `zonesOfToken`, on the columns of `l`. */
function inZonesOfToken(caller: Caller): Condition[] {
  return zonesOfToken(caller).map(({ sql, values }) => ({
    sql: `l."zoneId" IN (SELECT id FROM zones WHERE ${sql})`,
    values,
  }));
}

/** Every zone has them. */
const MANAGED: readonly ManagedType[] = ['SOA', 'NS'];

/** Lists of record sets; the managed ones of a zone come first in the order of creation (behaviour 13.4). */
@Injectable()
export class RecordSetLists {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly views: RecordSetViewRepository,
    private readonly managed: ManagedRecordSets,
    private readonly shares: ZoneShareRepository,
    private readonly creators: RecordSetCreatorRepository,
  ) {}

  /** @throws ServiceError `marker_not_found`, `bad_filter` */
  ofZone(tx: Transaction, zone: ZoneView, query: CollectionQuery): Promise<RecordSetPage> {
    const { filters, sort } = query;
    if (filters.size === 0 && sort.column === 'created_at' && !sort.isDescending)
      return this.inOrderOfCreation(tx, zone, query);
    return this.filtered(tx, [{ sql: 'l."zoneId" = ?', values: [zone.id] }], query, zone);
  }

  /**
   * Those that the caller has put into a zone of somebody else.
   * @throws ServiceError `marker_not_found`, `bad_filter`
   */
  ofGuest(tx: Transaction, zone: ZoneView, { tenantId }: Caller, query: CollectionQuery): Promise<RecordSetPage> {
    const own = { sql: 'l."zoneId" = ? AND l."tenantId" = ?', values: [zone.id, tenantId] };
    return this.filtered(tx, [own], query, zone);
  }

  /** @throws ServiceError `marker_not_found`, `bad_filter` */
  async ofAllZones(tx: Transaction, caller: Caller, query: CollectionQuery): Promise<RecordSetPage> {
    const seen = caller.allTenants ? [] : [await this.seenBy(tx, caller)];
    return this.filtered(tx, [...seen, ...inZonesOfToken(caller)], query, null);
  }

  /** All that is in the caller's zones, and what it has put into those of others. */
  private async seenBy(tx: Transaction, { tenantId }: Caller): Promise<Condition> {
    const own = { sql: 'l."zoneTenantId" = ?', values: [tenantId] };
    if (!(await this.shares.isTarget(tx, tenantId))) return own;
    // One list of zones: the planner has to see that they are few.
    const zones =
      'SELECT zone_id FROM zone_shares WHERE target_tenant_id = ? UNION SELECT id FROM zones WHERE tenant_id = ?';
    const sql = `l."zoneId" IN (${zones}) AND (${own.sql} OR l."tenantId" = ?)`;
    return { sql, values: [tenantId, tenantId, tenantId, tenantId] };
  }

  /** The zone in which the caller sees the set, `null` where it sees none. */
  async zoneIdOf(tx: Transaction, id: string, caller: Caller): Promise<string | null> {
    const { allTenants, tenantId } = caller;
    const stored = await this.views.zoneOf(tx, id, allTenants ? null : tenantId);
    const found = stored ?? (await this.creators.zoneOf(tx, id, tenantId));
    if (found !== null) return (await this.isForZone(tx, caller, found)) ? found : null;
    const zones = await this.zones.findAllIn(tx, zoneIdsOfManaged(id));
    const ofManaged = zones.find((zone) => maySee(caller, zone));
    return ofManaged !== undefined && managedTypeOf(ofManaged.id, id) !== null ? ofManaged.id : null;
  }

  private async isForZone(tx: Transaction, caller: Caller, zoneId: string): Promise<boolean> {
    if (zonesOf(caller) === null) return true;
    const zone = await this.zones.findIn(tx, zoneId);
    return zone !== undefined && isForZone(caller, zone);
  }

  /** What most ask for: it is read by key, and the counters of the zone know how much there is. */
  private async inOrderOfCreation(
    tx: Transaction,
    zone: ZoneView,
    { marker, limit }: CollectionQuery,
  ): Promise<RecordSetPage> {
    const { seen, after } = await this.placeOf(tx, zone.id, marker);
    const managed = seen === MANAGED.length ? [] : (await this.managed.both(tx, zone)).slice(seen, seen + limit);
    const stored = await this.views.pageOf(tx, zone, after, limit - managed.length);
    const hasNext = stored.hasNext || seen + managed.length < MANAGED.length;
    const total = zone.recordSetCount - zone.apexNsSets + MANAGED.length;
    return { sets: [...managed, ...stored.sets], hasNext, total };
  }

  /** How many of the managed sets a marker is behind, and behind which of the others. */
  private async placeOf(
    tx: Transaction,
    zoneId: string,
    marker: string | null,
  ): Promise<{ readonly seen: number; readonly after: string }> {
    if (marker === null) return { seen: 0, after: '' };
    const managed = managedTypeOf(zoneId, marker);
    if (managed !== null) return { seen: MANAGED.indexOf(managed) + 1, after: '' };
    if (await this.views.exists(tx, zoneId, marker)) return { seen: MANAGED.length, after: marker };
    throw new ServiceError(
      'marker_not_found',
      'There is no record set with the id of the marker; begin again without.',
    );
  }

  /** @param zone the only one that is listed; `null` where there may be several */
  private async filtered(
    tx: Transaction,
    whose: readonly Condition[],
    query: CollectionQuery,
    zone: ZoneView | null,
  ): Promise<RecordSetPage> {
    const { filters, where } = await this.conditionsOf(tx, query.filters, zone);
    const { sets, hasNext, total } = await this.views.list(tx, [...whose, ...where], { ...query, filters });
    return { sets: await this.withManaged(tx, sets), hasNext, total };
  }

  /** The filters that are no comparison of a column become conditions. */
  private async conditionsOf(
    tx: Transaction,
    filters: CollectionQuery['filters'],
    zone: ZoneView | null,
  ): Promise<{ readonly filters: Map<string, string>; readonly where: readonly Condition[] }> {
    const others = new Map(filters);
    const where: Condition[] = [];
    const name = others.get('name');
    if (name !== undefined && !name.includes('*')) {
      others.delete('name');
      where.push(hasName(name));
    }
    const data = others.get('data');
    if (others.delete('data') && data !== undefined) where.push(await this.hasData(tx, data, zone));
    return { filters: others, where };
  }

  /** Values of managed sets are not stored; they are found where the zone is named. */
  private async hasData(tx: Transaction, data: string, zone: ZoneView | null): Promise<Condition> {
    const stored = hasValue(data);
    if (zone === null) return stored;
    const found = (await this.managed.both(tx, zone)).filter(({ values }) =>
      values.some((value) => isLike(value.data, data)),
    );
    const orManaged = found.map(() => ' OR l.id = ?').join('');
    return { sql: stored.sql + orManaged, values: [...stored.values, ...found.map(({ id }) => id)] };
  }

  /** Shows what is in managed sets. */
  private async withManaged(tx: Transaction, sets: SetPage['sets']): Promise<ShownRecordSet[]> {
    const ids = [...new Set(sets.filter(isManaged).map(({ zoneId }) => zoneId))];
    if (ids.length === 0) return [...sets];
    const zones = new Map((await this.views.findZones(tx, ids)).map((zone) => [zone.id, zone]));
    const shown: ShownRecordSet[] = [];
    for (const set of sets) {
      const zone = isManaged(set) ? zones.get(set.zoneId) : undefined;
      const type = zone && managedTypeOf(zone.id, set.id);
      if (!zone || !type) shown.push(set);
      else shown.push(await this.managed.show(tx, zone, type));
    }
    return shown;
  }
}

function isManaged({ id, zoneId, type }: ViewedSet): boolean {
  return (type === 'SOA' || type === 'NS') && id === managedIdOf(zoneId, type);
}

/** A text that is no owner name is nothing's name. */
function hasName(name: string): Condition {
  const owner = nameOrNull(() => parseOwnerName(name));
  return owner === null ? { sql: '1 = 0', values: [] } : { sql: 'l."ownerKey" = ?', values: [owner.key] };
}

/** The same comparison as `conditionOf` makes in SQL. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.toLowerCase().split('*');
  const lower = text.toLowerCase();
  const last = others.pop();
  if (last === undefined) return lower === first;
  if (!lower.startsWith(first) || !lower.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = lower.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from + last.length <= lower.length;
}
