import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import type { Page } from '../../common/collection-query.js';
import { Streams } from '../../common/streams.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import { IN_ZONE } from '../../database/statements/contents-id.js';
import { Reads } from '../../database/reads.js';
import type { ListWalk } from '../../database/statements/filtered-pages.js';
import { type ListCounts, type NumberedSort, numberedPage } from '../../database/statements/numbered-pages.js';
import { Statement } from '../../database/statements/statement.js';
import { containsSql } from '../../database/statements/text-sql.js';
import { indexedBy, primaryKeyOf, textKey, type Walk, type WhereClause } from '../../database/statements/walk.js';
import { RecordRepository, type RecordView } from '../record.repository.js';

export const RECORD_SORTS = ['created', 'name', 'natural', 'type', 'ttl', 'updated'] as const;
export type RecordSort = (typeof RECORD_SORTS)[number];

export interface RecordBounds {
  /** The TTL of the record, or else of its zone. */
  readonly ttlAbove: number | null;
  readonly ttlBelow: number | null;
  readonly updatedSince: Instant | null;
}

export interface RecordListQuery {
  readonly q: string | null;
  readonly ownerKey: string | null;
  readonly data: string | null;
  readonly types: ReadonlySet<string> | null;
  readonly bounds: RecordBounds | null;
  readonly sort: RecordSort;
  readonly isDescending: boolean;
  readonly offset: number;
  readonly limit: number;
  readonly counts: boolean;
}

export interface RecordListPage {
  readonly records: readonly RecordView[];
  readonly hasNext: boolean;
  /** `null` unless requested. Counts by type ignore the type filter. */
  readonly counts: ListCounts | null;
}

/** Sorts before every character of a key, type or fingerprint. */
const SEPARATOR = `|| '\u001F' ||`;
const BY_NAME = `owner_key ${SEPARATOR} type ${SEPARATOR} fingerprint`;
const UPDATED = 'COALESCE(updated_at, created_at)';
const TTL = 'COALESCE(ttl, (SELECT z.ttl FROM zones z WHERE z.id = ?))';
const KEYS: Readonly<Record<RecordSort, Pick<NumberedSort, 'sql' | 'kind'>>> = {
  // Ids grow with time.
  created: { sql: 'id', kind: 'exact' },
  name: { sql: BY_NAME, kind: 'exact' },
  natural: { sql: BY_NAME, kind: 'natural' },
  type: { sql: `type ${SEPARATOR} owner_key ${SEPARATOR} fingerprint`, kind: 'exact' },
  ttl: { sql: 'ttl', kind: 'number' },
  updated: { sql: UPDATED, kind: 'number' },
};
export const SEARCHED_COLUMNS = ['name', 'data', "COALESCE(description, '')"];
/** No index has the natural order, so each page of a larger zone would read all of it. */
const MOST_SORTED_NATURALLY = 20_000;
const RECORD_COUNT = new Statement<{ readonly records: number }>(
  'SELECT record_count AS records FROM zones WHERE id = ?',
);

@Injectable()
export class RecordLists {
  constructor(
    private readonly records: RecordRepository,
    private readonly reads: Reads,
    private readonly streams: Streams,
  ) {}

  /** @throws ServiceError `unavailable` if a search takes too long, or too many are under way */
  page(zoneId: string, query: RecordListQuery, searchClient: SearchClient): Promise<RecordListPage> {
    return this.reads.offPrimary(() => this.read(zoneId, query, searchClient));
  }

  private async read(zoneId: string, query: RecordListQuery, searchClient: SearchClient): Promise<RecordListPage> {
    const { isDescending, types, offset, limit, counts } = query;
    const sort = query.sort === 'natural' && (await this.countOf(zoneId)) > MOST_SORTED_NATURALLY ? 'name' : query.sort;
    const isByName = sort === 'name' || sort === 'natural' || query.ownerKey !== null;
    const asked = {
      ...{ id: 'id', offset, limit, counts, searchClient },
      sort: { ...KEYS[sort], isDescending, isInOrder: sort === (isByName ? 'name' : 'created') },
      group: { sql: 'type', wanted: types },
    };
    // Without an index for the order, the search keeps all entries up to the page end. So each tenant has one search at
    // a time.
    const found = await this.streams.read(searchClient.tenantId, () =>
      numberedPage(this.reads, [this.walkOf(zoneId, query, isByName)], asked),
    );
    const { entries, isLast }: Page<RecordView> = await this.records.shownPage(zoneId, found.ids);
    return {
      records: entries,
      hasNext: found.hasNext || !isLast,
      counts: found.counts,
    };
  }

  private walkOf(zoneId: string, query: RecordListQuery, isByName: boolean): ListWalk {
    const walk = walkOf(zoneId, query, isByName);
    return query.ownerKey === null ? { ...walk, total: () => this.countOf(zoneId) } : walk;
  }

  private async countOf(zoneId: string): Promise<number> {
    return (await this.reads.run((tx) => RECORD_COUNT.first(tx, [zoneId])))?.records ?? 0;
  }
}

function walkOf(zoneId: string, { q, ownerKey, data, bounds }: RecordListQuery, isByName: boolean): Walk {
  const where =
    ownerKey === null
      ? { sql: IN_ZONE, values: [zoneId] }
      : { sql: `${IN_ZONE} AND owner_key = ?`, values: [zoneId, ownerKey] };
  const behindOwner = ['type', 'fingerprint'];
  const key = isByName ? (ownerKey === null ? ['owner_key', ...behindOwner] : behindOwner) : ['id'];
  const tests = [
    ...(data === null ? [] : [{ sql: 'data = ?', values: [data] }]),
    ...(bounds === null ? [] : boundTests(zoneId, bounds)),
    ...(q === null ? [] : [containsSql(SEARCHED_COLUMNS, q)]),
  ];
  const seen = { sql: tests.map(({ sql }) => sql).join(' AND '), values: tests.flatMap(({ values }) => values) };
  return {
    from: `records${indexedBy(isByName ? 'records_fingerprint' : primaryKeyOf('records'))}`,
    where,
    key: key.map(textKey),
    ...(tests.length > 0 && { seen }),
  };
}

function boundTests(zoneId: string, { ttlAbove, ttlBelow, updatedSince }: RecordBounds): WhereClause[] {
  return [
    ...(ttlAbove === null ? [] : [{ sql: `${TTL} > ?`, values: [zoneId, ttlAbove] }]),
    ...(ttlBelow === null ? [] : [{ sql: `${TTL} < ?`, values: [zoneId, ttlBelow] }]),
    ...(updatedSince === null ? [] : [{ sql: `${UPDATED} >= ?`, values: [updatedSince] }]),
  ];
}
