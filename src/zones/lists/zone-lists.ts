import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { LabelFilter } from '../../common/labels.js';
import { Streams } from '../../common/streams.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import { Reads } from '../../database/reads.js';
import { type ListWalk, narrowed } from '../../database/statements/filtered-pages.js';
import { type ListCounts, type NumberedSort, numberedPage } from '../../database/statements/numbered-pages.js';
import { containsSql } from '../../database/statements/text-sql.js';
import type { WhereClause } from '../../database/statements/walk.js';
import { type PublicationStatus, ZonePublication } from '../zone-publication.js';
import { statusSql } from './zone-status.js';
import { type ZoneView, ZoneViews } from './zone-views.js';
import { withLabels } from './labeled-walks.js';
import { type ZoneOrder, ZoneWalks } from './zone-walks.js';

export const ZONE_SORTS = ['created', 'name', 'records', 'updated'] as const;
export type ZoneSort = (typeof ZONE_SORTS)[number];

export interface ZoneListQuery {
  /** Substring of name, email or description. */
  readonly q: string | null;
  readonly name: string | null;
  readonly labels: readonly LabelFilter[];
  readonly publication: PublicationStatus | null;
  /** The name server that lacks the zones. */
  readonly behind: string | null;
  readonly sort: ZoneSort;
  readonly isDescending: boolean;
  readonly offset: number;
  readonly limit: number;
  readonly counts: boolean;
}

export interface ZoneListPage {
  readonly zones: readonly ZoneView[];
  readonly hasNext: boolean;
  /** Over all pages; `null` if not requested. */
  readonly counts: Pick<ListCounts, 'total' | 'isTotalExact'> | null;
}

const KEYS: Readonly<Record<ZoneSort, Pick<NumberedSort, 'sql' | 'kind'> & { readonly order: ZoneOrder }>> = {
  // Ids grow with time.
  created: { sql: 'zones.id', kind: 'exact', order: 'created' },
  name: { sql: 'zones.name_key', kind: 'exact', order: 'key' },
  records: { sql: 'zones.record_count', kind: 'number', order: 'record_count' },
  updated: { sql: 'zones.changed_at', kind: 'number', order: 'changed_at' },
};
const SEARCHED = ['zones.name', 'zones.email', "COALESCE(zones.description, '')"];

@Injectable()
export class ZoneLists {
  constructor(
    private readonly walks: ZoneWalks,
    private readonly views: ZoneViews,
    private readonly reads: Reads,
    private readonly streams: Streams,
    private readonly publication: ZonePublication,
  ) {}

  /** @throws ServiceError `unavailable` if the search takes too long, or too many are running */
  page(caller: Caller, query: ZoneListQuery, searchClient: SearchClient): Promise<ZoneListPage> {
    return this.reads.offPrimary(() => this.read(caller, query, searchClient));
  }

  private async read(caller: Caller, query: ZoneListQuery, searchClient: SearchClient): Promise<ZoneListPage> {
    const { name, labels, publication, sort, isDescending, offset, limit, counts } = query;
    const conditions = this.conditionsOf(query);
    const order = conditions.length === 0 && labels.length === 0 ? KEYS[sort].order : 'created';
    const failed =
      publication === 'ERROR' && name === null && labels.length === 0 ? await this.walks.failed(caller, false) : null;
    const all = await this.walks.ofOwner(caller, name, order);
    const labeled = labels.length === 0 ? null : await this.labeled(caller, query, all);
    const indexed = failed === null && labeled === null ? await this.withStatus(caller, query, searchClient) : null;
    const found = labeled ?? failed ?? (query.q === null ? all : await this.walks.having([query.q], all));
    const walks = indexed ?? found.map((walk) => conditions.reduce(narrowed, walk));
    const isInOrder = walks.every(({ order }) => order === KEYS[sort].sql);
    const asked = { offset, limit, counts, searchClient, sort: { ...KEYS[sort], isDescending, isInOrder } };
    // Without a suitable index all rows up to the end of the page are in memory, so a tenant runs one search at a time.
    const page = await this.streams.read(searchClient.tenantId, () =>
      numberedPage(this.reads, walks, { ...asked, id: 'zones.id' }),
    );
    const zones = await this.views.each(page.ids);
    return { zones, hasNext: page.hasNext, counts: page.counts };
  }

  /** `null` with another filter, or in another order. */
  private async withStatus(
    caller: Caller,
    { name, q, publication, behind, sort }: ZoneListQuery,
    searchClient: SearchClient,
  ): Promise<ListWalk[] | null> {
    if (publication === null || sort !== 'created' || name !== null || q !== null || behind !== null) return null;
    return this.walks.withStatus(caller, publication, false, searchClient);
  }

  private async labeled(
    caller: Caller,
    { name, labels, sort }: ZoneListQuery,
    all: readonly ListWalk[],
  ): Promise<ListWalk[]> {
    if (name !== null) return withLabels(all, labels);
    return this.walks.labeled(caller, labels, all, sort === 'name' ? 'key' : 'created');
  }

  private conditionsOf({ q, publication, behind }: ZoneListQuery): WhereClause[] {
    return [
      ...(q === null ? [] : [containsSql(SEARCHED, q)]),
      ...(publication === null ? [] : [{ sql: `${statusSql(this.publication)} = ?`, values: [publication] }]),
      ...(behind === null ? [] : [this.publication.behindSql(behind)]),
    ];
  }
}
