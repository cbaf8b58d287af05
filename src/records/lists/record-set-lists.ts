import { Injectable } from '@nestjs/common';
import { isForZone, maySee, zonesOf } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { type SearchClient, inSearchTurns } from '../../common/waiting/search-turns.js';
import type { LabelFilter } from '../../common/labels.js';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { contentsOf } from '../../database/statements/contents-id.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { walked, type Walk, type WhereClause } from '../../database/statements/walk.js';
import { narrowed } from '../../database/statements/filtered-pages.js';
import { nameOrNull } from '../../dns/name.js';
import { keysOnPath } from '../../dns/name-key.js';
import { isNameFilter, parseOwnerName } from '../../dns/owner-name.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { ALL_ZONES, zoneOfId, zonesOwnedBy, ZoneWalks } from '../../zones/lists/zone-walks.js';
import {
  ManagedRecordSets,
  managedIdOf,
  type ManagedType,
  managedTypeOf,
  zoneIdsOfManaged,
} from '../managed-record-sets.js';
import { RecordSetCreatorRepository } from '../record-set-creator.repository.js';
import { RecordSetSearch, type RecordSetSearchRequest } from './record-set-search.js';
import { RecordSetViewRepository, type ZoneView } from '../record-set-view.repository.js';
import { type SetCandidate, SetCandidatesRepository, type SetSearch } from './set-candidates.repository.js';
import type { RecordSetView } from '../record-set-view.js';

export interface RecordSetPage {
  readonly sets: readonly RecordSetView[];
  readonly hasNext: boolean;
  readonly total: number;
}

const MANAGED: readonly ManagedType[] = ['SOA', 'NS'];
/** Most RDATA octets of one page, to bound memory. */
const PAGE_OCTETS = 2 ** 18;
const SHOWN_AT_A_TIME = 100;

type Searched = Pick<SetSearch, 'walks' | 'isWhole' | 'tenantId'>;

/** Lists record sets. In creation order, the managed sets of a zone come first (behaviour 13.4). */
@Injectable()
export class RecordSetLists {
  constructor(
    private readonly reads: Reads,
    private readonly zones: ZoneRepository,
    private readonly zoneWalks: ZoneWalks,
    private readonly views: RecordSetViewRepository,
    private readonly managed: ManagedRecordSets,
    private readonly candidates: SetCandidatesRepository,
    private readonly search: RecordSetSearch,
    private readonly creators: RecordSetCreatorRepository,
  ) {}

  /** @throws ServiceError `marker_not_found`, `bad_filter`, `unavailable` */
  ofZone(zone: ZoneView, query: CollectionQuery): Promise<RecordSetPage> {
    const { filters, sort } = query;
    const searched = { walks: [zoneOfId(zone.id)], isWhole: () => true, tenantId: zone.tenantId };
    return this.reads.offPrimary(() =>
      filters.size === 0 && query.labels.length === 0 && sort.column === 'created_at' && !sort.isDescending
        ? this.reads.run((tx) => this.inOrderOfCreation(tx, zone, query))
        : this.searched(searched, query, zone),
    );
  }

  /** Lists sets that the caller created in a zone of another tenant. */
  ofGrantee(zone: ZoneView, { tenantId }: Caller, query: CollectionQuery): Promise<RecordSetPage> {
    const searched = { walks: [zoneOfId(zone.id)], isWhole: () => false, tenantId };
    return this.reads.offPrimary(() => this.searched(searched, query, zone));
  }

  /** Lists all sets in zones of the caller, and those that it created in shared zones. */
  ofAllZones(caller: Caller, query: CollectionQuery): Promise<RecordSetPage> {
    return this.reads.offPrimary(() => this.inAllZones(caller, query));
  }

  private async inAllZones(caller: Caller, query: CollectionQuery): Promise<RecordSetPage> {
    const { allTenants, tenantId } = caller;
    const ownerKey = ownerKeyOf(query.filters);
    // A filter by name only needs the zones at or above that name.
    const walks = await this.zoneWalks.of(
      caller,
      typeof ownerKey === 'string' ? keysOnPath('', ownerKey) : null,
      'created',
    );
    const isWhole: SetSearch['isWhole'] = (zone) => allTenants || zone.tenantId === tenantId;
    const zoneOfMarker = query.marker === null ? null : await this.zoneIdOf(query.marker, caller, query.searchClient);
    if (query.marker !== null && zoneOfMarker === null) throw noSuchMarker();
    const labeled = query.labels.reduce<Walk[]>(
      (found, label) => found.map((walk) => narrowed(walk, hasLabeledSetSql(label))),
      walks,
    );
    return this.searched({ walks: labeled, isWhole, tenantId }, query, null, zoneOfMarker);
  }

  async zoneIdOf(id: string, caller: Caller, searchClient: SearchClient): Promise<string | null> {
    const { allTenants, tenantId } = caller;
    const known = await this.reads.run(
      async (tx) => (await this.creators.zoneOf(tx, id, tenantId)) ?? (await this.zoneOfManaged(tx, id, caller)),
    );
    const found = known ?? (await this.zoneOfStored(id, allTenants ? null : tenantId, searchClient));
    if (found === null) return null;
    return (await this.reads.run((tx) => this.isForZone(tx, caller, found))) ? found : null;
  }

  private async zoneOfManaged(tx: Transaction, id: string, caller: Caller): Promise<string | null> {
    const zones = await this.zones.findAllIn(tx, zoneIdsOfManaged(id));
    const found = zones.find((zone) => maySee(caller, zone));
    return found !== undefined && managedTypeOf(found.id, id) !== null ? found.id : null;
  }

  /** The index of set ids is per zone, so this asks zone after zone. */
  private async zoneOfStored(id: string, tenantId: string | null, searchClient: SearchClient): Promise<string | null> {
    const walk = tenantId === null ? ALL_ZONES : zonesOwnedBy(tenantId);
    const portions = walked<{ readonly id: string }>(this.reads, walk, 'zones.id');
    for await (const zones of inSearchTurns(portions, searchClient)) {
      const ids = zones.map((zone) => zone.id);
      const found = await this.reads.run((tx) => this.views.zoneAmong(tx, id, ids));
      if (found !== null) return found;
    }
    return null;
  }

  private async isForZone(tx: Transaction, caller: Caller, zoneId: string): Promise<boolean> {
    if (zonesOf(caller) === null) return true;
    const zone = await this.zones.findIn(tx, zoneId);
    return zone !== undefined && isForZone(caller, zone);
  }

  /** The most frequent list: read by key, with totals from the zone counters. */
  private async inOrderOfCreation(
    tx: Transaction,
    zone: ZoneView,
    { marker, limit }: CollectionQuery,
  ): Promise<RecordSetPage> {
    const { seen, after } = await this.cursorOf(tx, zone.id, marker);
    const managed = seen === MANAGED.length ? [] : (await this.managed.both(tx, zone)).slice(seen, seen + limit);
    const stored = await this.views.pageOf(tx, zone, after, limit - managed.length);
    const hasNext = stored.hasNext || seen + managed.length < MANAGED.length;
    const total = zone.recordSetCount - zone.apexNsSets + MANAGED.length;
    return { sets: [...managed, ...stored.sets], hasNext, total };
  }

  private async cursorOf(
    tx: Transaction,
    zoneId: string,
    marker: string | null,
  ): Promise<{ readonly seen: number; readonly after: string }> {
    if (marker === null) return { seen: 0, after: '' };
    const managed = managedTypeOf(zoneId, marker);
    if (managed !== null) return { seen: MANAGED.indexOf(managed) + 1, after: '' };
    if (await this.views.exists(tx, zoneId, marker)) return { seen: MANAGED.length, after: marker };
    throw noSuchMarker();
  }

  private async searched(
    searched: Searched,
    query: CollectionQuery,
    zone: ZoneView | null,
    zoneOfMarker = zone?.id ?? null,
  ): Promise<RecordSetPage> {
    const ownerKey = ownerKeyOf(query.filters);
    // No set has an invalid owner name.
    if (ownerKey === null) return { sets: [], hasNext: false, total: 0 };
    const behind = query.marker === null ? null : await this.candidateOf(searched, zoneOfMarker, query.marker);
    const filters = new Map(query.filters);
    if (ownerKey !== undefined) filters.delete('name');
    const { sets, hasNext, total } = await this.search.find({
      ...searched,
      ownerKey: ownerKey ?? null,
      labels: query.labels,
      query: { ...query, filters },
      behind,
      managedValues: await this.managedValues(filters, zone),
    });
    const end = endOfPage(sets);
    return { sets: await this.shown(sets.slice(0, end)), hasNext: hasNext || end < sets.length, total };
  }

  private async candidateOf(searched: Searched, zoneId: string | null, id: string): Promise<SetCandidate> {
    const found = zoneId === null ? null : await this.candidates.find(searched, zoneId, id);
    if (found === null) throw noSuchMarker();
    return found;
  }

  /** Managed sets are not stored; only a list of one zone loads their values. */
  private async managedValues(
    filters: CollectionQuery['filters'],
    zone: ZoneView | null,
  ): Promise<RecordSetSearchRequest['managedValues']> {
    if (zone === null || !filters.has('data')) return new Map();
    const both = await this.reads.run((tx) => this.managed.both(tx, zone));
    return new Map(both.map(({ id, values }) => [id, values.map(({ data }) => data)]));
  }

  private async shown(sets: readonly SetCandidate[]): Promise<RecordSetView[]> {
    const shown: RecordSetView[] = [];
    for (let from = 0; from < sets.length; from += SHOWN_AT_A_TIME) {
      if (from > 0) await nextTurn();
      const some = sets.slice(from, from + SHOWN_AT_A_TIME);
      shown.push(...(await this.reads.run((tx) => this.shownIn(tx, some))));
    }
    return shown;
  }

  private async shownIn(tx: Transaction, sets: readonly SetCandidate[]): Promise<RecordSetView[]> {
    const [managed, stored] = [sets.filter(isManaged), sets.filter((set) => !isManaged(set))];
    const zones = await this.views.findZones(tx, [...new Set(managed.map(({ zoneId }) => zoneId))]);
    const byId = new Map<string, RecordSetView>();
    for (const set of await this.views.findEach(tx, stored)) byId.set(set.id, set);
    for (const zone of zones)
      for (const type of MANAGED.filter((one) => managed.some(({ id }) => id === managedIdOf(zone.id, one))))
        byId.set(managedIdOf(zone.id, type), await this.managed.show(tx, zone, type));
    return sets.flatMap(({ id }) => byId.get(id) ?? []);
  }
}

function hasLabeledSetSql({ key, value }: LabelFilter): WhereClause {
  const sql = `EXISTS (SELECT 1 FROM record_set_labels n WHERE n.zone_id = ${contentsOf('zones.id')} AND n.key = ?${value === null ? '' : ' AND n.value = ?'})`;
  return { sql, values: [key, value].filter((one) => one !== null) };
}

function isManaged({ managed }: SetCandidate): boolean {
  return managed !== null;
}

function endOfPage(sets: readonly SetCandidate[]): number {
  let octets = 0;
  const end = sets.findIndex((set) => {
    if (octets >= PAGE_OCTETS) return true;
    octets += set.octets;
    return false;
  });
  return end < 0 ? sets.length : end;
}

/** The owner name of an exact filter; `undefined`: no such filter, `null`: invalid name. */
function ownerKeyOf(filters: CollectionQuery['filters']): string | null | undefined {
  const name = filters.get('name');
  if (name === undefined || !isNameFilter(name)) return undefined;
  return nameOrNull(() => parseOwnerName(name))?.key ?? null;
}

function noSuchMarker(): ServiceError {
  return new ServiceError(
    'marker_not_found',
    'There is no record set with the id of the marker; begin again without a marker.',
  );
}
