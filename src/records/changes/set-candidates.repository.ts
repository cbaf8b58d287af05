import { Injectable } from '@nestjs/common';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { inKeyOrder, PORTION, primaryKeyOf, type Walk, walked } from '../../database/statements/walk.js';
import { ZonePublication } from '../../zones/zone-publication.js';
import { zoneOfId } from '../../zones/lists/zone-walks.js';
import { creatorSql } from '../record-set-creator.repository.js';
import { managedTypeOf } from './managed-sets.js';
import { managedCandidate, type SearchedZone, type SetCandidate } from './set-candidate.js';

/** Which sets are gone through, and what is wanted of them. */
export interface SetSearch {
  readonly walks: readonly Walk[];
  /** Whether all that is in a zone is gone through, or no more than what this tenant has put into it. */
  readonly isWhole: (zone: SearchedZone) => boolean;
  readonly tenantId: string;
  /** The only owner name that is looked for; `null`: any. */
  readonly ownerKey: string | null;
  readonly wants: Wants;
}

/** What costs a look into other tables. */
interface Wants {
  readonly status: boolean;
  /** Whether the creator of a set is read; otherwise the zone's owner is shown. */
  readonly creator: boolean;
}

/** A row of which the set may have gone: only its cursor is left then. */
type Row = Omit<SetCandidate, 'id' | 'tenantId' | 'managed'> & {
  readonly id: string | null;
  readonly cursor: string;
  readonly creatorId: string | null;
};

/** How the sets of a zone are found: all behind an id, those of grantees behind an id, those at an owner name, or one. */
type Way = 'all' | 'grantees' | 'owner' | 'one';

/** Which parts of zones are gone through. */
type SearchedParts = Pick<SetSearch, 'isWhole' | 'tenantId'>;

/** Where reading a zone continues. */
interface SetCursor {
  readonly zone: SearchedZone;
  readonly after: string;
}

const ZONES_AT_A_TIME = 100;
const ZONE_SERIAL = '(SELECT z.serial FROM zones z WHERE z.id = s.zone_id)';
const COLUMNS =
  's.id, s.zone_id AS "zoneId", s.owner_key AS "ownerKey", s.name, s.type, s.ttl, s.description,' +
  ' s.created_at AS "createdAt", s.updated_at AS "updatedAt", s.record_count AS "recordCount", s.octets';
const TTL_OF_APEX_NS =
  "(SELECT a.ttl FROM record_sets a WHERE a.zone_id = zones.id AND a.owner_key = zones.name_key AND a.type = 'NS')";
const SEARCHED_ZONE =
  'zones.id, zones.name, zones.name_key AS "nameKey", zones.tenant_id AS "tenantId", zones.created_at AS "createdAt",' +
  ` zones.changed_at AS "changedAt", zones.record_set_count AS "recordSetCount", ${TTL_OF_APEX_NS} AS "apexNsTtl",` +
  ' zones.apex_ns AS "apexNs", zones.soa_ttl AS "soaTtl"';
const WAYS: Readonly<
  Record<Way, { cursor: string; creator: string; from: (by: (index: string) => string) => string }>
> = {
  all: {
    cursor: 's.id',
    creator: creatorSql('s.zone_id', 's.id'),
    from: (by) =>
      `record_sets s${by('record_sets_id')} WHERE s.zone_id = ? AND s.id > ? ORDER BY s.id LIMIT ${PORTION}`,
  },
  // Sets may have gone without anybody's having looked here.
  grantees: {
    cursor: 'c.record_set_id',
    creator: 'c.tenant_id',
    from: (by) =>
      `record_set_creators c${by(primaryKeyOf('record_set_creators'))} LEFT JOIN record_sets s${by('record_sets_id')}` +
      ' ON s.zone_id = c.zone_id AND s.id = c.record_set_id' +
      ` WHERE c.zone_id = ? AND c.record_set_id > ? ORDER BY c.record_set_id LIMIT ${PORTION}`,
  },
  owner: {
    cursor: 's.id',
    creator: creatorSql('s.zone_id', 's.id'),
    from: (by) => `record_sets s${by(primaryKeyOf('record_sets'))} WHERE s.zone_id = ? AND s.owner_key = ?`,
  },
  one: {
    cursor: 's.id',
    creator: creatorSql('s.zone_id', 's.id'),
    from: (by) => `record_sets s${by('record_sets_id')} WHERE s.zone_id = ? AND s.id = ?`,
  },
};

/** Goes through record sets, as long as somebody wants more, a few hundred at a time whatever there is. */
@Injectable()
export class SetCandidatesRepository {
  private readonly lookups = new Map<string, Lookup<Row>>();

  constructor(
    private readonly reads: Reads,
    private readonly publication: ZonePublication,
  ) {}

  /** The sets of all zones of the walks, zone after zone, in portions that may be empty; managed ones of whole zones too. */
  async *portions(search: SetSearch): AsyncGenerator<readonly SetCandidate[]> {
    const status = search.wants.status ? this.publication.statusSql('zones.id', 'zones.serial') : 'NULL';
    for (const walk of search.walks) {
      for await (const zones of walked<SearchedZone>(this.reads, walk, `${SEARCHED_ZONE}, ${status} AS status`)) {
        yield zones.filter(search.isWhole).flatMap((zone) => managedOf(zone, search));
        yield* this.setsOf(zones, search);
      }
    }
  }

  /** A set of a zone, as it is compared; `null` where the search does not lead to it. */
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

  /** Small zones are read together, as many as have a portion of sets. */
  private async *setsOf(zones: readonly SearchedZone[], search: SetSearch): AsyncGenerator<readonly SetCandidate[]> {
    const [whole, others] = [zones.filter(search.isWhole), zones.filter((zone) => !search.isWhole(zone))];
    const way = search.ownerKey === null ? 'all' : 'owner';
    const after = search.ownerKey ?? '';
    for (const group of grouped(whole)) {
      const cursors = group.map((zone) => ({ zone, after }));
      yield* this.behind(cursors, way, search);
    }
    // No index has the sets of a grantee by their names.
    const isAsked = ({ ownerKey }: SetCandidate): boolean => search.ownerKey === null || ownerKey === search.ownerKey;
    for (const zone of others)
      for await (const sets of this.behind([{ zone, after: '' }], 'grantees', search)) yield sets.filter(isAsked);
  }

  /** The sets of zones behind cursors in them. */
  private async *behind(
    first: readonly SetCursor[],
    way: Way,
    search: SetSearch,
  ): AsyncGenerator<readonly SetCandidate[]> {
    const lookup = this.lookupOf(way, search.wants);
    for (const rest: (readonly SetCursor[])[] = [first]; ;) {
      const cursors = rest.pop();
      if (cursors === undefined) return;
      const keys = cursors.map(({ zone, after }) => [zone.id, after]);
      const found = await this.reads.run((tx) => inKeyOrder(tx, () => lookup.rowsByKey(tx, [], keys)));
      yield cursors.flatMap(({ zone }, at) => candidatesIn(zone, found[at] ?? [], search));
      // All sets at an owner name come at once.
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
        ['text', 'text'],
        sql(() => ''),
      );
      this.lookups.set(key, lookup);
    }
    return lookup;
  }

  /** A set that is not served is never pending. */
  private statusSql(): string {
    const status = this.publication.statusSql('s.zone_id', `COALESCE(s.serial, ${ZONE_SERIAL})`);
    return `CASE WHEN s.record_count = 0 THEN 'ACTIVE' ELSE ${status} END`;
  }
}

/** Where reading continues in zones that may have more. */
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
    // What is stored of the NS of the apex is shown together with what the service makes.
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
    managed: null,
  };
}

/** Groups of zones that have a portion of sets together, or of one that has more. */
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
