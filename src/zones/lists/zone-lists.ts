import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import { Reads } from '../../database/reads.js';
import { containsSql } from '../../database/statements/contains.js';
import type { ListWalk } from '../../database/statements/filtered-pages.js';
import { type NumberedSort, numberedPage } from '../../database/statements/numbered-pages.js';
import { type ZoneView, ZoneViews } from './zone-views.js';
import { ZoneWalks } from './zone-walks.js';

export const ZONE_SORTS = ['created', 'name', 'records', 'updated'] as const;
export type ZoneSort = (typeof ZONE_SORTS)[number];

/** A search among the zones that a caller owns (behaviour 7.6). */
export interface ZoneListQuery {
  /** Text in the name, the email or the description. */
  readonly q: string | null;
  /** The exact name; `null`: any. */
  readonly name: string | null;
  readonly sort: ZoneSort;
  readonly isDescending: boolean;
  readonly offset: number;
  readonly limit: number;
  readonly counts: boolean;
}

export interface ZoneListPage {
  readonly zones: readonly ZoneView[];
  readonly hasNext: boolean;
  /** Of all pages; `null` where nobody asked. */
  readonly total: number | null;
}

const KEYS: Readonly<Record<ZoneSort, Pick<NumberedSort, 'sql' | 'kind'>>> = {
  // Ids grow with time.
  created: { sql: 'zones.id', kind: 'exact' },
  name: { sql: 'zones.name_key', kind: 'exact' },
  records: { sql: 'zones.record_count', kind: 'number' },
  updated: { sql: 'zones.changed_at', kind: 'number' },
};
const SEARCHED = ['zones.name', 'zones.email', "COALESCE(zones.description, '')"];

/** Lists of zones by what is in them, in the order that is asked for, from any place on. */
@Injectable()
export class ZoneLists {
  constructor(
    private readonly walks: ZoneWalks,
    private readonly views: ZoneViews,
    private readonly reads: Reads,
    private readonly streams: Streams,
  ) {}

  /** @throws ServiceError `unavailable` for a search that takes too long, or where too many are under way */
  page(caller: Caller, query: ZoneListQuery, searchClient: SearchClient): Promise<ZoneListPage> {
    return this.reads.offPrimary(() => this.read(caller, query, searchClient));
  }

  private async read(caller: Caller, query: ZoneListQuery, searchClient: SearchClient): Promise<ZoneListPage> {
    const { q, sort, isDescending, offset, limit, counts } = query;
    const order = sort === 'name' && q === null ? 'key' : 'created';
    const walks = this.walks.ofOwner(caller, query.name, order).map((walk) => searched(walk, q));
    const isInOrder = walks.every(({ order }) => order === KEYS[sort].sql);
    const asked = { offset, limit, counts, searchClient, sort: { ...KEYS[sort], isDescending, isInOrder } };
    // What is not in the order of an index is kept up to the end of the page: one search of a tenant at a time.
    const found = await this.streams.read(searchClient.tenantId, () =>
      numberedPage(this.reads, walks, { ...asked, id: 'zones.id' }),
    );
    const zones = await this.views.each(found.ids);
    return { zones, hasNext: found.hasNext, total: found.counts?.total ?? null };
  }
}

function searched(walk: ListWalk, q: string | null): ListWalk {
  if (q === null) return walk;
  const text = containsSql(SEARCHED, q);
  const { seen } = walk;
  if (seen === undefined) return { ...walk, seen: text };
  return { ...walk, seen: { sql: `(${seen.sql}) AND ${text.sql}`, values: [...seen.values, ...text.values] } };
}
