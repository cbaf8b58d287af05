import { Injectable } from '@nestjs/common';
import type { Page } from '../../common/page.js';
import { Streams } from '../../common/streams.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import { Reads } from '../../database/reads.js';
import { containsSql } from '../../database/statements/contains.js';
import { type NumberedSort, numberedPage } from '../../database/statements/numbered-pages.js';
import { indexedBy, primaryKeyOf, textKey, type Walk } from '../../database/statements/walk.js';
import { RecordRepository, type RecordView } from '../record.repository.js';

export const RECORD_SORTS = ['created', 'name', 'type', 'ttl', 'updated'] as const;
export type RecordSort = (typeof RECORD_SORTS)[number];

/** A search among the records of a zone (behaviour 6.7). */
export interface RecordListQuery {
  /** Text in the name, the data or the description. */
  readonly q: string | null;
  readonly ownerKey: string | null;
  readonly data: string | null;
  readonly types: ReadonlySet<string> | null;
  readonly sort: RecordSort;
  readonly isDescending: boolean;
  readonly offset: number;
  readonly limit: number;
  readonly counts: boolean;
}

export interface RecordListPage {
  readonly records: readonly RecordView[];
  readonly hasNext: boolean;
  /** `null` where nobody asked. By type are also those of types that are not asked for. */
  readonly counts: { readonly total: number; readonly byType: ReadonlyMap<string, number> } | null;
}

/** Sorts before every character of a key, a type or a fingerprint. */
const SEPARATOR = `|| '\u001F' ||`;
const KEYS: Readonly<Record<RecordSort, Pick<NumberedSort, 'sql' | 'kind'>>> = {
  // Ids grow with time.
  created: { sql: 'id', kind: 'exact' },
  name: { sql: `owner_key ${SEPARATOR} type ${SEPARATOR} fingerprint`, kind: 'exact' },
  type: { sql: `type ${SEPARATOR} owner_key ${SEPARATOR} fingerprint`, kind: 'exact' },
  ttl: { sql: 'ttl', kind: 'number' },
  updated: { sql: 'COALESCE(updated_at, created_at)', kind: 'number' },
};
const SEARCHED = ['name', 'data', "COALESCE(description, '')"];

/** Lists of records by what is in them, in the order that is asked for, from any place on. */
@Injectable()
export class RecordLists {
  constructor(
    private readonly records: RecordRepository,
    private readonly reads: Reads,
    private readonly streams: Streams,
  ) {}

  /** @throws ServiceError `unavailable` for a search that takes too long, or where too many are under way */
  page(zoneId: string, query: RecordListQuery, searchClient: SearchClient): Promise<RecordListPage> {
    return this.reads.offPrimary(() => this.read(zoneId, query, searchClient));
  }

  private async read(zoneId: string, query: RecordListQuery, searchClient: SearchClient): Promise<RecordListPage> {
    const { sort, isDescending, types, offset, limit, counts } = query;
    const isByName = sort === 'name' || query.ownerKey !== null;
    const asked = {
      ...{ id: 'id', offset, limit, counts, searchClient },
      sort: { ...KEYS[sort], isDescending, isInOrder: sort === (isByName ? 'name' : 'created') },
      group: { sql: 'type', wanted: types },
    };
    // What is not in the order of an index is kept up to the end of the page: one search of a tenant at a time.
    const found = await this.streams.read(searchClient.tenantId, () =>
      numberedPage(this.reads, [walkOf(zoneId, query, isByName)], asked),
    );
    const { entries, isLast }: Page<RecordView> = await this.records.shownPage(zoneId, found.ids);
    return {
      records: entries,
      hasNext: found.hasNext || !isLast,
      counts: found.counts && { total: found.counts.total, byType: found.counts.byGroup },
    };
  }
}

function walkOf(zoneId: string, { q, ownerKey, data }: RecordListQuery, isByName: boolean): Walk {
  const where =
    ownerKey === null
      ? { sql: 'zone_id = ?', values: [zoneId] }
      : { sql: 'zone_id = ? AND owner_key = ?', values: [zoneId, ownerKey] };
  const behindOwner = ['type', 'fingerprint'];
  const key = isByName ? (ownerKey === null ? ['owner_key', ...behindOwner] : behindOwner) : ['id'];
  const tests = [
    ...(data === null ? [] : [{ sql: 'data = ?', values: [data] }]),
    ...(q === null ? [] : [containsSql(SEARCHED, q)]),
  ];
  const seen = { sql: tests.map(({ sql }) => sql).join(' AND '), values: tests.flatMap(({ values }) => values) };
  return {
    from: `records${indexedBy(isByName ? 'records_fingerprint' : primaryKeyOf('records'))}`,
    where,
    key: key.map(textKey),
    ...(tests.length > 0 && { seen }),
  };
}
