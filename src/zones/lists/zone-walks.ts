import { Injectable } from '@nestjs/common';
import { zonesOf } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import type { LabelFilter } from '../../common/labels.js';
import { type ListWalk, type MovedRows, narrowed } from '../../database/statements/filtered-pages.js';
import { hasPlacesOf, MOST_TRIES } from '../../database/statements/numbered-pages.js';
import { countWalk } from '../../database/statements/strides.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import type { SqlValue } from '../../database/transaction.js';
import { Reads } from '../../database/reads.js';
import {
  bytewiseKey,
  indexedBy,
  integerKey,
  lookedUp,
  numberKey,
  primaryKeyOf,
  textKey,
  type WhereClause,
  wholeTable,
} from '../../database/statements/walk.js';
import { DomainName, nameOrNull } from '../../dns/name.js';
import { isSharedWithSql, ZoneShareRepository } from '../sharing/zone-share.repository.js';
import { ZoneCountRepository } from '../zone-count.repository.js';
import { type PublicationStatus, ZonePublication, type ZoneRowsSql } from '../zone-publication.js';
import { countOf, isLabeledSql, labeledWalk, withLabels } from './labeled-walks.js';
import { type IndexedFilter, isPrefix, ownedFrom } from './filtered-walks.js';
import { type OrderColumn, ZoneOrders } from './zone-orders.repository.js';
import { statusSql } from './zone-status.js';
import { ZoneSearchIndex } from './zone-search-index.js';

/** `key` is the canonical order. */
export type IndexedOrder = 'created' | 'name' | 'key' | 'updated' | 'ttl' | 'tenant';

/** Also values that change with records. */
export type ZoneOrder = IndexedOrder | OrderColumn;

/** `updated_at`, as in the indexes by it: zones without an update come first. */
export const UPDATED = 'COALESCE(zones.updated_at, -1)';

@Injectable()
export class ZoneWalks {
  constructor(
    private readonly reads: Reads,
    private readonly shares: ZoneShareRepository,
    private readonly counts: ZoneCountRepository,
    private readonly publication: ZonePublication,
    private readonly index: ZoneSearchIndex,
    private readonly orders: ZoneOrders,
  ) {}

  /** The walks, shortened by the text index: to zones with all of these texts, and to others. */
  async having(texts: readonly string[], walks: readonly ListWalk[]): Promise<ListWalk[]> {
    const shortened = walks.map(async (walk) => {
      if (walk.total === undefined) return walk;
      const among = await this.index.candidates(texts, await walk.total());
      return among === null ? walk : { ...AMONG_ZONES, ...(walk.where && { where: walk.where }), among };
    });
    return Promise.all(shortened);
  }

  /** @param name the only zone; `null`: all */
  async ofOwner(caller: Caller, name: string | null, order: ZoneOrder): Promise<ListWalk[]> {
    const ofToken = keysOfToken(caller);
    const keys = name === null ? ofToken : keysOfName(name).filter((key) => ofToken?.includes(key) ?? true);
    if (keys !== null) return zonesNamed(keys, caller, ownedBy(caller.tenantId));
    return [await this.whole(caller, order)];
  }

  /** Zones with these labels, by the index of the rarest label. @param labels at least one */
  async labeled(
    caller: Caller,
    labels: readonly LabelFilter[],
    seen: readonly ListWalk[],
    order: 'key' | 'created' = 'created',
  ): Promise<ListWalk[]> {
    // A few zones are found faster by themselves.
    if (keysOfToken(caller) !== null) return withLabels(seen, labels);
    const of = caller.allTenants ? null : caller.tenantId;
    const counts =
      labels.length < 2 ? [] : await this.reads.run((tx) => Promise.all(labels.map((label) => countOf(tx, of, label))));
    const rarest = counts.indexOf(Math.min(...counts));
    const first = labels[Math.max(rarest, 0)];
    if (first === undefined) return [...seen];
    // No index has the labels of zones of other tenants.
    const shared = seen.filter((walk) => walk.total === undefined).map((walk) => narrowed(walk, isLabeledSql(first)));
    return withLabels(
      [labeledWalk(of, first, order), ...shared],
      labels.filter((label) => label !== first),
    );
  }

  async of(caller: Caller, among: readonly string[] | null, order: ZoneOrder): Promise<ListWalk[]> {
    const ofToken = keysOfToken(caller);
    const keys = among?.filter((key) => ofToken?.includes(key) ?? true) ?? ofToken;
    if (keys !== null) {
      return zonesNamed(keys, caller, visibleTo(caller.tenantId));
    }
    const whole = await this.whole(caller, order);
    return caller.allTenants ? [whole] : this.withShared(caller, whole);
  }

  /** May include other zones: no index has the names of shared zones, or of all tenants. */
  async beginningWith(caller: Caller, prefix: string): Promise<ListWalk[]> {
    const hasIndex = !caller.allTenants && keysOfToken(caller) === null && isPrefix(prefix);
    return hasIndex ? this.withShared(caller, ownedFrom(caller.tenantId, prefix)) : this.of(caller, null, 'created');
  }

  /**
   * Exactly the zones with the filter. `null`: no index has them.
   * @param order an index of the list's order, without another filter
   */
  async filtered(
    caller: Caller,
    filter: IndexedFilter,
    order: IndexedOrder | undefined,
    searchClient: SearchClient,
  ): Promise<ListWalk[] | null> {
    const { allTenants, tenantId } = caller;
    if (allTenants || keysOfToken(caller) !== null) return null;
    const walk = filter.walk?.(tenantId);
    if (order === undefined) return walk === undefined ? null : this.withShared(caller, walk, filter.condition);
    const all = await this.counts.ofTenant(tenantId);
    const total = await this.count(filter, tenantId, all, searchClient);
    // A page of frequent values is found sooner in the order of the list.
    const found =
      walk === undefined || total > all / FREQUENT ? narrowed(this.owned(tenantId, order), filter.condition) : walk;
    return this.withShared(caller, { ...found, total: () => Promise.resolve(total) }, filter.condition);
  }

  /** Exactly the zones with the status, in the order of their creation. `null`: no index has them. */
  async withStatus(
    caller: Caller,
    status: PublicationStatus,
    hasShared: boolean,
    searchClient: SearchClient,
  ): Promise<ListWalk[] | null> {
    const { allTenants, tenantId } = caller;
    if (allTenants || keysOfToken(caller) !== null) return null;
    const all = await this.counts.ofTenant(tenantId);
    if (all < MANY) return null;
    const counted = await this.countStatus(tenantId, status, all, searchClient);
    if (counted === null) return null;
    const { moved, total } = counted;
    const walk = { ...withStatusOf(tenantId, status), moved, total: () => Promise.resolve(total) };
    const condition = { sql: `${statusSql(this.publication)} = ?`, values: [status] };
    return hasShared ? this.withShared(caller, walk, condition) : [walk];
  }

  /** May include zones with another status. `null`: all zones are as fast. */
  async failed(caller: Caller, hasShared: boolean): Promise<ListWalk[] | null> {
    const { allTenants, tenantId } = caller;
    const failed = this.publication.failedSql();
    if (failed === null || keysOfToken(caller) !== null) return null;
    if (!allTenants && (await this.counts.ofTenant(tenantId)) < MANY) return null;
    const isVisible = hasShared ? visibleTo(tenantId) : ownedBy(tenantId);
    const walks = [...failed.map(zonesIn).map((walk) => narrowed(walk, NOT_REFUSED)), zonesIn(REFUSED)];
    return allTenants ? walks : walks.map((walk) => narrowed(walk, isVisible));
  }

  /** Counts again if zones have entered the index meanwhile. `null`: too many wait for it. */
  private async countStatus(
    tenantId: string,
    status: PublicationStatus,
    all: number,
    searchClient: SearchClient,
  ): Promise<{ readonly moved: MovedRows; readonly total: number } | null> {
    const others = STATUSES.filter((other) => other !== status).map((other) => withStatusOf(tenantId, other));
    const filter = { walk: () => withStatusOf(tenantId, status), others: () => others };
    let found = await this.moved(tenantId, 'status');
    for (let tries = 1; found !== null && tries <= MOST_TRIES; tries += 1) {
      const moved = inStatus(found, status);
      const indexed = await this.count(filter, tenantId, all - sumOf(found), searchClient);
      const now = await found.now();
      if (now !== null && hasPlacesOf(now, found)) return { moved, total: indexed + sumOf(moved) };
      found = now;
    }
    return null;
  }

  private async withShared({ tenantId }: Caller, own: ListWalk, condition?: WhereClause): Promise<ListWalk[]> {
    const isTarget = await this.reads.run((tx) => this.shares.isTarget(tx, tenantId));
    if (!isTarget) return [own];
    const shared = zonesSharedWith(tenantId);
    const { order, ...unordered } = own;
    // By tenant, a marker may be a zone of another one.
    const owned = order === OWNED_BY.tenant.order ? unordered : own;
    return [owned, condition === undefined ? shared : narrowed(shared, condition)];
  }

  /** Of many zones with the filter, counts those without it. */
  private async count(
    { walk, others }: Pick<IndexedFilter, 'walk' | 'others'>,
    tenantId: string,
    all: number,
    searchClient: SearchClient,
  ): Promise<number> {
    const found = walk?.(tenantId);
    const few = found && (await countWalk(this.reads, found, searchClient, MOST_COUNTED));
    if (typeof few === 'number') return few;
    let without = 0;
    for (const other of others(tenantId)) {
      const counted = await countWalk(this.reads, other, searchClient, found && MOST_COUNTED - without);
      if (counted === null) return (found && (await countWalk(this.reads, found, searchClient))) ?? 0;
      without += counted;
    }
    return all - without;
  }

  private async whole({ allTenants, tenantId }: Caller, order: ZoneOrder): Promise<ListWalk> {
    const late = !allTenants && isLate(order) ? order : null;
    const moved = late && (await this.moved(tenantId, late));
    if (late !== null && moved !== null) {
      const sorted = late === 'status' ? { order: statusSql(this.publication) } : {};
      return { ...this.owned(tenantId, 'created'), ...orderedBy(tenantId, late), ...sorted, moved };
    }
    const indexed = isLate(order) ? 'created' : order;
    return allTenants ? { ...ALL_BY[indexed], total: () => this.counts.ofAll() } : this.owned(tenantId, indexed);
  }

  private async moved(tenantId: string, order: OrderColumn): Promise<MovedRows | null> {
    const rows = await this.reads.run((tx) => this.orders.moved(tx, tenantId, order));
    return rows && { rows, now: () => this.moved(tenantId, order) };
  }

  private owned(tenantId: string, order: IndexedOrder): ListWalk {
    return { ...OWNED_BY[order], where: ownedBy(tenantId), total: () => this.counts.ofTenant(tenantId) };
  }
}

/** Empty for an invalid name, which no zone has. */
export function keysOfName(name: string): string[] {
  const parsed = nameOrNull(() => DomainName.parse(name));
  return parsed === null ? [] : [parsed.key];
}

/** Zones that the caller's token is restricted to; `null`: all. */
function keysOfToken(caller: Caller): string[] | null {
  return zonesOf(caller)?.map((name) => DomainName.parse(name).key) ?? null;
}

export const ALL_ZONES: ListWalk = { ...wholeTable('zones'), order: 'zones.id' };

const AMONG_ZONES: ListWalk = { from: ALL_ZONES.from, key: [textKey('zones.id')] };

const BY_UPDATE = { key: [{ ...numberKey(UPDATED), lowest: -2, isExpression: true }, textKey('id')], order: UPDATED };

const ALL_BY: Readonly<Record<IndexedOrder, ListWalk>> = {
  created: ALL_ZONES,
  name: ALL_ZONES,
  key: { from: `zones${indexedBy('zones_name_key')}`, key: [textKey('name_key')], order: 'zones.name_key' },
  updated: { from: `zones${indexedBy('zones_by_update')}`, ...BY_UPDATE },
  ttl: ALL_ZONES,
  tenant: {
    from: `zones${indexedBy('zones_of_tenant')}`,
    key: [textKey('tenant_id'), textKey('id')],
    order: 'zones.tenant_id',
  },
};

const OWNED_BY: Readonly<Record<IndexedOrder, ListWalk>> = {
  created: { from: `zones${indexedBy('zones_of_tenant')}`, key: [textKey('id')], order: 'zones.id' },
  name: {
    from: `zones${indexedBy('zones_of_tenant_by_name')}`,
    key: [bytewiseKey('name'), textKey('id')],
    order: 'zones.name',
  },
  key: { from: `zones${indexedBy('zones_of_tenant_by_key')}`, key: [textKey('name_key')], order: 'zones.name_key' },
  updated: { from: `zones${indexedBy('zones_of_tenant_by_update')}`, ...BY_UPDATE },
  ttl: {
    from: `zones${indexedBy('zones_of_tenant_by_ttl')}`,
    key: [integerKey('ttl'), textKey('id')],
    order: 'zones.ttl',
  },
  tenant: { from: `zones${indexedBy('zones_of_tenant')}`, key: [textKey('id')], order: 'zones.tenant_id' },
};

const LATE: readonly ZoneOrder[] = ['serial', 'record_count', 'changed_at', 'status'] satisfies OrderColumn[];
const isLate = (order: ZoneOrder): order is OrderColumn => LATE.includes(order);

const ORDER_KEYS: Readonly<Record<OrderColumn, ListWalk['key'][number]>> = {
  serial: numberKey('o.serial'),
  record_count: integerKey('o.record_count'),
  changed_at: numberKey('o.changed_at'),
  status: textKey('o.status'),
};

function orderedBy(tenantId: string, column: OrderColumn): ListWalk {
  return {
    from: `zone_orders o${indexedBy(`zone_orders_by_${column}`)}`,
    where: { sql: 'o.tenant_id = ?', values: [tenantId] },
    key: [ORDER_KEYS[column], textKey('o.zone_id')],
    order: `zones.${column}`,
  };
}

export const STATUSES: readonly PublicationStatus[] = ['ACTIVE', 'ERROR', 'PENDING'];

function withStatusOf(tenantId: string, status: PublicationStatus): ListWalk {
  const where = { sql: 'o.tenant_id = ? AND o.status = ?', values: [tenantId, status] };
  return {
    from: `zone_orders o${indexedBy('zone_orders_by_status')}`,
    where,
    key: [textKey('o.zone_id')],
    order: 'zones.id',
  };
}

/** How many more are there than in the index. */
function sumOf({ rows }: MovedRows): number {
  let sum = 0;
  for (const { key, place } of rows.values()) sum += Number(key !== null) - Number(place !== null);
  return sum;
}

/** As they are among the zones with the status, in the order of their IDs. */
function inStatus({ rows, now }: MovedRows, status: PublicationStatus): MovedRows {
  const idIf = (id: string, value: SqlValue): string | null => (value === status ? id : null);
  const among = [...rows.values()].map(({ id, key, place }) => ({ id, key: idIf(id, key), place: idIf(id, place) }));
  const again = async (): Promise<MovedRows | null> => {
    const moved = await now();
    return moved && inStatus(moved, status);
  };
  return { rows: new Map(among.map((row) => [row.id, row])), now: again };
}

export function zoneOfId(id: string): ListWalk {
  const from = `zones${indexedBy(primaryKeyOf('zones'))}`;
  return { from, where: { sql: 'zones.id = ?', values: [id] }, key: [textKey('id')], order: 'zones.id' };
}

export function zonesOwnedBy(tenantId: string): ListWalk {
  return { ...OWNED_BY.created, where: ownedBy(tenantId) };
}

function ownedBy(tenantId: string): WhereClause {
  return { sql: 'tenant_id = ?', values: [tenantId] };
}

function visibleTo(tenantId: string): WhereClause {
  return { sql: `zones.tenant_id = ? OR ${isSharedWithSql('zones.id')}`, values: [tenantId, tenantId] };
}

function zonesIn({ from, where, zoneId }: ZoneRowsSql): ListWalk {
  const joined = from + lookedUp('zones', `zones.id = ${zoneId}`);
  return { from: joined, where: { sql: where, values: [] }, key: [textKey(zoneId)] };
}

/** Zones with a filter, or without it. */
const MOST_COUNTED = 10_000;
/** The reciprocal of a part. */
const FREQUENT = 4;

/** Fewer zones are searched faster than the failed zones of all tenants. */
const MANY = 2000;

/** Secondary zones whose primaries refuse them. */
const REFUSED: ZoneRowsSql = {
  from: `transfers_in t${indexedBy('transfers_in_refused')}`,
  where: 't.refused_since IS NOT NULL',
  zoneId: 't.zone_id',
};
const NOT_REFUSED: WhereClause = {
  sql: 'NOT EXISTS (SELECT 1 FROM transfers_in t WHERE t.zone_id = zones.id AND t.refused_since IS NOT NULL)',
  values: [],
};

/** A tenant never has a share of its own zone. */
function zonesSharedWith(tenantId: string): ListWalk {
  const where = { sql: 'h.target_tenant_id = ?', values: [tenantId] };
  const from = `zone_shares h${indexedBy('zone_shares_for_tenant')}${lookedUp('zones', 'zones.id = h.zone_id')}`;
  return { from, where, key: [textKey('h.zone_id')], order: 'zones.id' };
}

/** A few zones, as far as the caller sees them. */
function zonesNamed(keys: readonly string[], { allTenants }: Caller, seen: WhereClause): ListWalk[] {
  if (keys.length === 0) return [];
  const where = { sql: `name_key IN (${keys.map(() => '?').join(', ')})`, values: keys };
  const from = `zones${indexedBy('zones_name_key')}`;
  // In any other order PostgreSQL would search all zones for them.
  return [{ from, where, key: [textKey('name_key')], ...(allTenants ? {} : { seen }) }];
}
