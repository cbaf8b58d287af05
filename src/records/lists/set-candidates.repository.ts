import { Injectable } from '@nestjs/common';
import type { LabelFilter } from '../../common/labels.js';
import { contentsOf, zoneOf } from '../../database/statements/contents-id.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { inKeyOrder, PORTION, primaryKeyOf, type Walk, walked } from '../../database/statements/walk.js';
import { ZonePublication, type PublicationStatus } from '../../zones/zone-publication.js';
import { zoneOfId } from '../../zones/lists/zone-walks.js';
import { creatorSql } from '../record-set-creator.repository.js';
import { managedTypeOf, managedIdOf, type ManagedType } from '../managed-record-sets.js';
import type { SqlValue } from '../../database/transaction.js';
import { readApexNs } from '../../zones/generation.js';

export interface SetSearch {
  readonly walks: readonly Walk[];
  /** Whether to read all sets of a zone, or only those that this tenant created. */
  readonly isWhole: (zone: SearchedZone) => boolean;
  readonly tenantId: string;
  readonly ownerKey: string | null;
  readonly labels: readonly LabelFilter[];
  readonly wants: Wants;
}

/** Columns that need other tables. */
interface Wants {
  readonly status: boolean;
  /** Whether to read the creator of a set; otherwise the zone owner is shown. */
  readonly creator: boolean;
}

/** If the set was deleted, only the cursor remains. */
type Row = Omit<SetCandidate, 'id' | 'tenantId' | 'managed'> & {
  readonly id: string | null;
  readonly cursor: string;
  readonly creatorId: string | null;
};

/** How to find the sets of a zone: all after an id, those with a label or with its key after an id, those of grantees after an id, those at an owner name, or one. */
type Way = 'all' | 'labeled' | 'keyed' | 'grantees' | 'owner' | 'one';

type SearchedParts = Pick<SetSearch, 'isWhole' | 'tenantId'>;

interface SetCursor {
  readonly zone: SearchedZone;
  readonly after: string;
}

const ZONES_AT_A_TIME = 100;
const ZONE_ID = zoneOf('s.zone_id');
const ZONE_SERIAL = `(SELECT z.serial FROM zones z WHERE z.id = ${ZONE_ID})`;
const COLUMNS =
  `s.id, ${ZONE_ID} AS "zoneId", s.owner_key AS "ownerKey", s.name, s.type, s.ttl, s.description,` +
  ' s.created_at AS "createdAt", s.updated_at AS "updatedAt", s.record_count AS "recordCount", s.octets, s.labels';
const TTL_OF_APEX_NS = `(SELECT a.ttl FROM record_sets a WHERE a.zone_id = ${contentsOf('zones.id')} AND a.owner_key = zones.name_key AND a.type = 'NS')`;
const SEARCHED_ZONE =
  'zones.id, zones.name, zones.name_key AS "nameKey", zones.tenant_id AS "tenantId", zones.created_at AS "createdAt",' +
  ` zones.changed_at AS "changedAt", zones.record_set_count AS "recordSetCount", ${TTL_OF_APEX_NS} AS "apexNsTtl",` +
  ' zones.apex_ns AS "apexNs", zones.soa_ttl AS "soaTtl"';
/** The set may have been deleted since the read of the label. */
function labeledWay(index: string, hasValue: string) {
  return {
    cursor: 'c.record_set_id',
    creator: creatorSql(ZONE_ID, 's.id'),
    from: (by: (index: string) => string) =>
      `record_set_labels c${by(index)} LEFT JOIN record_sets s${by('record_sets_id')}` +
      ' ON s.zone_id = c.zone_id AND s.id = c.record_set_id' +
      ` WHERE c.zone_id = ${contentsOf('?')} AND c.record_set_id > ? AND c.key = ?${hasValue} ORDER BY c.record_set_id LIMIT ${PORTION}`,
  };
}

const WAYS: Readonly<
  Record<Way, { cursor: string; creator: string; from: (by: (index: string) => string) => string }>
> = {
  all: {
    cursor: 's.id',
    creator: creatorSql(ZONE_ID, 's.id'),
    from: (by) =>
      `record_sets s${by('record_sets_id')} WHERE s.zone_id = ${contentsOf('?')} AND s.id > ? ORDER BY s.id LIMIT ${PORTION}`,
  },
  labeled: labeledWay('record_set_labels_by_value', ' AND c.value = ?'),
  keyed: labeledWay(primaryKeyOf('record_set_labels'), ''),
  // The set may have been deleted since, because deletions do not update this table.
  grantees: {
    cursor: 'c.record_set_id',
    creator: 'c.tenant_id',
    from: (by) =>
      `record_set_creators c${by(primaryKeyOf('record_set_creators'))} LEFT JOIN record_sets s${by('record_sets_id')}` +
      ` ON s.zone_id = ${contentsOf('c.zone_id')} AND s.id = c.record_set_id` +
      ` WHERE c.zone_id = ? AND c.record_set_id > ? ORDER BY c.record_set_id LIMIT ${PORTION}`,
  },
  owner: {
    cursor: 's.id',
    creator: creatorSql(ZONE_ID, 's.id'),
    from: (by) =>
      `record_sets s${by(primaryKeyOf('record_sets'))} WHERE s.zone_id = ${contentsOf('?')} AND s.owner_key = ?`,
  },
  one: {
    cursor: 's.id',
    creator: creatorSql(ZONE_ID, 's.id'),
    from: (by) => `record_sets s${by('record_sets_id')} WHERE s.zone_id = ${contentsOf('?')} AND s.id = ?`,
  },
};

/** Walks record sets in portions of bounded size, on demand. */
@Injectable()
export class SetCandidatesRepository {
  private readonly lookups = new Map<string, Lookup<Row>>();

  constructor(
    private readonly reads: Reads,
    private readonly publication: ZonePublication,
  ) {}

  /** Walks the sets of all zones in portions that may be empty. Includes managed sets of whole zones. */
  async *portions(search: SetSearch): AsyncGenerator<readonly SetCandidate[]> {
    const status = search.wants.status ? this.publication.statusSql('zones.id', 'zones.serial') : 'NULL';
    for (const walk of search.walks) {
      for await (const zones of walked<SearchedZone>(this.reads, walk, `${SEARCHED_ZONE}, ${status} AS status`)) {
        yield zones.filter(search.isWhole).flatMap((zone) => managedOf(zone, search));
        yield* this.setsOf(zones, search);
      }
    }
  }

  async find(search: SearchedParts, zoneId: string, id: string): Promise<SetCandidate | null> {
    const zones = walked<SearchedZone>(this.reads, zoneOfId(zoneId), `${SEARCHED_ZONE}, NULL AS status`);
    for await (const [zone] of zones) {
      if (zone === undefined) return null;
      const type = search.isWhole(zone) ? managedTypeOf(zoneId, id) : null;
      if (type !== null) return managedCandidate(zone, type);
      const rows = await this.reads.run((tx) =>
        this.lookupOf('one', { status: false, creator: true }).rows(tx, [], [[zoneId, id]]),
      );
      return candidatesIn(zone, rows, search)[0] ?? null;
    }
    return null;
  }

  private async *setsOf(zones: readonly SearchedZone[], search: SetSearch): AsyncGenerator<readonly SetCandidate[]> {
    const [whole, others] = [zones.filter(search.isWhole), zones.filter((zone) => !search.isWhole(zone))];
    const way = search.ownerKey === null ? wayOf(search) : 'owner';
    const after = search.ownerKey ?? '';
    for (const group of grouped(whole)) {
      const cursors = group.map((zone) => ({ zone, after }));
      yield* this.behind(cursors, way, search);
    }
    // No index has the sets of a grantee by name.
    const isAsked = ({ ownerKey }: SetCandidate): boolean => search.ownerKey === null || ownerKey === search.ownerKey;
    for (const zone of others)
      for await (const sets of this.behind([{ zone, after: '' }], 'grantees', search)) yield sets.filter(isAsked);
  }

  private async *behind(
    first: readonly SetCursor[],
    way: Way,
    search: SetSearch,
  ): AsyncGenerator<readonly SetCandidate[]> {
    const lookup = this.lookupOf(way, search.wants);
    for (const rest: (readonly SetCursor[])[] = [first]; ;) {
      const cursors = rest.pop();
      if (cursors === undefined) return;
      const ofLabel = labelKeyOf(way, search);
      const keys = cursors.map(({ zone, after }) => [zone.id, after, ...ofLabel]);
      const found = await this.reads.run((tx) => inKeyOrder(tx, () => lookup.rowsByKey(tx, [], keys)));
      yield cursors.flatMap(({ zone }, at) => candidatesIn(zone, found[at] ?? [], search));
      // An owner name yields all its sets in one read.
      if (way !== 'owner') rest.push(...unfinished(cursors, found).map((cursor) => [cursor]));
    }
  }

  private lookupOf(way: Way, wants: Wants): Lookup<Row> {
    const key = `${way} ${String(wants.status)} ${String(wants.creator)}`;
    let lookup = this.lookups.get(key);
    if (lookup === undefined) {
      const { cursor, creator, from } = WAYS[way];
      const status = wants.status ? this.statusSql() : 'NULL';
      const select = `SELECT ${COLUMNS}, ${cursor} AS cursor, ${way === 'grantees' || wants.creator ? creator : 'NULL'} AS "creatorId", ${status} AS status FROM `;
      const sql = (by: (index: string) => string): string => select + from(by);
      lookup = new Lookup<Row>(
        sql((index) => ` INDEXED BY ${index}`),
        ['text', 'text', ...(way === 'labeled' ? TWO : way === 'keyed' ? ONE : [])],
        sql(() => ''),
      );
      this.lookups.set(key, lookup);
    }
    return lookup;
  }

  /** A set that is not served is never pending. */
  private statusSql(): string {
    const status = this.publication.statusSql(ZONE_ID, `COALESCE(s.serial, ${ZONE_SERIAL})`);
    return `CASE WHEN s.record_count = 0 THEN 'ACTIVE' ELSE ${status} END`;
  }
}

const ONE = ['text'] as const;
const TWO = ['text', 'text'] as const;

function wayOf({ labels: [first] }: SetSearch): Way {
  if (first === undefined) return 'all';
  return first.value === null ? 'keyed' : 'labeled';
}

function labelKeyOf(way: Way, { labels: [first] }: SetSearch): string[] {
  if (first === undefined || (way !== 'labeled' && way !== 'keyed')) return [];
  return [first.key, first.value].filter((one) => one !== null);
}

function unfinished(cursors: readonly SetCursor[], found: readonly (readonly Row[])[]): SetCursor[] {
  return cursors.flatMap(({ zone }, at) => {
    const rows = found[at] ?? [];
    const last = rows.at(-1);
    return last === undefined || rows.length < PORTION ? [] : [{ zone, after: last.cursor }];
  });
}

function managedOf(zone: SearchedZone, { ownerKey }: SetSearch): SetCandidate[] {
  if (ownerKey !== null && ownerKey !== zone.nameKey) return [];
  return [managedCandidate(zone, 'SOA'), managedCandidate(zone, 'NS')];
}

function candidatesIn(zone: SearchedZone, rows: readonly Row[], search: SearchedParts): SetCandidate[] {
  const isWhole = search.isWhole(zone);
  const found: SetCandidate[] = [];
  for (const row of rows) {
    const { id, creatorId, type, ownerKey } = row;
    // The managed apex NS set includes the stored NS records of the apex.
    if (id === null || (type === 'NS' && ownerKey === zone.nameKey)) continue;
    if (!isWhole && creatorId !== search.tenantId) continue;
    found.push(candidateOf(row, id, creatorId ?? zone.tenantId));
  }
  return found;
}

/** Field by field: spreading a row takes longer than reading it. */
function candidateOf(row: Row, id: string, tenantId: string): SetCandidate {
  return {
    id,
    zoneId: row.zoneId,
    ownerKey: row.ownerKey,
    name: row.name,
    type: row.type,
    ttl: row.ttl,
    description: row.description,
    status: row.status,
    tenantId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    recordCount: row.recordCount,
    octets: row.octets,
    labels: row.labels,
    managed: null,
  };
}

function grouped(zones: readonly SearchedZone[]): SearchedZone[][] {
  const groups: SearchedZone[][] = [];
  let room = 0;
  for (const zone of zones) {
    const last = groups.at(-1);
    room -= zone.recordSetCount;
    if (last !== undefined && room >= 0 && last.length < ZONES_AT_A_TIME) last.push(zone);
    else {
      groups.push([zone]);
      room = PORTION - zone.recordSetCount;
    }
  }
  return groups;
}

/** A set with the fields that lists compare, without its records. */
export interface SetCandidate {
  readonly id: string;
  readonly zoneId: string;
  readonly ownerKey: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  /** `null`: description of its first record. */
  readonly description: string | null;
  /** `null` unless requested. */
  readonly status: PublicationStatus | null;
  readonly tenantId: string;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly recordCount: number;
  /** Sum of the RDATA of its records. */
  readonly octets: number;
  readonly labels: string | null;
  readonly managed: ManagedType | null;
}

interface SearchedZone {
  readonly id: string;
  readonly name: string;
  readonly nameKey: string;
  readonly tenantId: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly recordSetCount: number;
  readonly apexNsTtl: number | null;
  readonly apexNs: string | null;
  readonly soaTtl: number | null;
  readonly status: PublicationStatus | null;
}

/** Same values as `ManagedRecordSets`. */
function managedCandidate(zone: SearchedZone, type: ManagedType): SetCandidate {
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
    labels: null,
    managed: type,
  };
}

/** Filter and sort columns that do not need records, by API name. */
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
