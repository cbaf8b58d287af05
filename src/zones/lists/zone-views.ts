import { Injectable } from '@nestjs/common';
import { maySee } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { type FilteredPage, FilteredPages } from '../../database/statements/filtered-pages.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { forEachDatabase } from '../../database/statements/walk.js';
import { isNameFilter } from '../../dns/owner-name.js';
import { type PublicationStatus, ZonePublication } from '../zone-publication.js';
import type { ZoneEntity } from '../zone.entity.js';
import { isSharedSql, ZoneShareRepository } from '../sharing/zone-share.repository.js';
import { noSuchZone, ZONE_COLUMNS } from '../zone.repository.js';
import { withLabels } from './labeled-walks.js';
import { statusSql } from './zone-status.js';
import { indexedFilter } from './filtered-walks.js';
import { keysOfName, STATUSES, UPDATED, type IndexedOrder, type ZoneOrder, ZoneWalks } from './zone-walks.js';

/** A zone with its publication status (behaviour 13.3). */
export interface ZoneView extends ZoneEntity {
  readonly status: PublicationStatus;
  /** Whether it is shared; SQLite returns 0 or 1. */
  readonly isShared: boolean | number;
  readonly transferError: string | null;
  /** Signing state (behaviour 23.2); `null`: unsigned. */
  readonly signingState: SigningState | null;
}

export const SIGNING_STATES = ['signing', 'proving', 'ready', 'secure', 'leaving', 'halted'] as const;
type SigningState = (typeof SIGNING_STATES)[number];

@Injectable()
export class ZoneViews {
  private readonly pages: FilteredPages<ZoneView>;
  private readonly one: Statement<ZoneView>;

  constructor(
    private readonly reads: Reads,
    private readonly shares: ZoneShareRepository,
    private readonly walks: ZoneWalks,
    publication: ZonePublication,
  ) {
    const status = statusSql(publication);
    const select = `${ZONE_COLUMNS}, ${status} AS status, ${isSharedSql('zones.id')} AS "isShared", ${TRANSFER_ERROR}, ${SIGNING_STATE}`;
    this.pages = new FilteredPages({ select, from: 'zones', id: 'zones.id', columns: columnsWith(status) });
    this.one = new Statement(...forEachDatabase(`SELECT ${select} FROM zones WHERE id = ?`));
  }

  /** @throws ServiceError `zone_not_found`, also for a zone that the caller may not see */
  find(id: string, caller: Caller): Promise<ZoneView> {
    return this.reads.run(async (tx) => {
      const zone = await this.one.first(tx, [id]);
      if (zone === undefined) throw noSuchZone();
      if (maySee(caller, zone) || (await this.shares.isGrantee(tx, id, caller))) return zone;
      throw noSuchZone();
    });
  }

  /** In the order of the ids, without deleted zones. */
  each(ids: readonly string[]): Promise<ZoneView[]> {
    return this.pages.rowsOf(this.reads, ids);
  }

  /** @throws ServiceError `marker_not_found`, `bad_filter`, `unavailable` */
  page(caller: Caller, query: CollectionQuery): Promise<FilteredPage<ZoneView>> {
    return this.reads.offPrimary(() => this.read(caller, query));
  }

  private async read(caller: Caller, query: CollectionQuery): Promise<FilteredPage<ZoneView>> {
    const { labels } = query;
    const name = query.filters.get('name');
    const isPattern = name !== undefined && !isNameFilter(name);
    if (labels.length > 0 && (name === undefined || isPattern)) {
      const seen = await this.walks.of(caller, null, 'created');
      return this.pages.page(this.reads, await this.walks.labeled(caller, labels, seen), query, seen);
    }
    if (name === undefined && query.filters.get('status')?.toUpperCase() === 'ERROR') {
      const failed = await this.walks.failed(caller, true);
      if (failed !== null)
        return this.pages.page(this.reads, failed, query, await this.walks.of(caller, null, 'created'));
    }
    const status = STATUSES.find((one) => one === query.filters.get('status')?.toUpperCase());
    if (status !== undefined && query.filters.size === 1 && INDEXED[query.sort.column] === 'created') {
      const walks = await this.walks.withStatus(caller, status, true, query.searchClient);
      if (walks !== null) {
        const seen = await this.walks.of(caller, null, 'created');
        return this.pages.page(this.reads, walks, { ...query, filters: new Map() }, seen);
      }
    }
    const indexed = name === undefined || isPattern ? indexedFilter(query.filters) : null;
    if (indexed !== null) {
      const filters = new Map([...query.filters].filter(([field]) => field !== indexed.field));
      const order = filters.size === 0 ? INDEXED[query.sort.column] : undefined;
      const walks = await this.walks.filtered(caller, indexed, order, query.searchClient);
      const seen = await this.walks.of(caller, null, 'created');
      if (walks !== null) return this.pages.page(this.reads, walks, { ...query, filters }, seen);
    }
    if (name === undefined || (isPattern && name.startsWith('*'))) {
      // Filters read all zones, which is faster in the order of storage.
      const order = query.filters.size === 0 ? ORDERS[query.sort.column] : undefined;
      const seen = await this.walks.of(caller, null, 'created');
      const walks = order === undefined ? seen : await this.walks.of(caller, null, order);
      const texts = INDEXED_TEXTS.flatMap((field) => query.filters.get(field)?.split('*') ?? []);
      const searched = texts.length === 0 ? walks : await this.walks.having(texts, walks);
      return this.pages.page(this.reads, searched, query, seen);
    }
    if (isPattern) {
      const walks = await this.walks.beginningWith(caller, name.slice(0, name.indexOf('*')));
      return this.pages.page(this.reads, walks, query, await this.walks.of(caller, null, 'created'));
    }
    // Most clients find a zone by its name, which has an index.
    const filters = new Map([...query.filters].filter(([field]) => field !== 'name'));
    const walks = withLabels(await this.walks.of(caller, keysOfName(name), 'created'), labels);
    return this.pages.page(this.reads, walks, { ...query, filters });
  }
}

/** Indexes by sort column. */
const INDEXED: Readonly<Record<string, IndexedOrder>> = {
  id: 'created',
  created_at: 'created',
  name: 'name',
  updated_at: 'updated',
  ttl: 'ttl',
  tenant_id: 'tenant',
};

const ORDERS: Readonly<Record<string, ZoneOrder>> = { ...INDEXED, serial: 'serial', status: 'status' };

const INDEXED_TEXTS = ['name', 'email', 'description'];

const TRANSFER_ERROR =
  "CASE WHEN zones.type = 'SECONDARY' THEN (SELECT t.error FROM transfers_in t WHERE t.zone_id = zones.id) END" +
  ' AS "transferError"';

const SIGNING_STATE =
  "(SELECT CASE WHEN s.halted_because IS NULL THEN s.state ELSE 'halted' END FROM zone_signing s" +
  ' WHERE s.zone_id = zones.id) AS "signingState"';

function columnsWith(status: string) {
  const text = (column: string) => ({ sql: `zones.${column}`, kind: 'text' }) as const;
  const number = (column: string) => ({ sql: `zones.${column}`, kind: 'number' }) as const;
  return {
    name: text('name'),
    type: text('type'),
    email: text('email'),
    status: { sql: status, kind: 'text' },
    description: text('description'),
    ttl: number('ttl'),
    serial: number('serial'),
    // Ids grow with time, and have an index.
    created_at: { sql: 'zones.id', kind: 'exact' },
    updated_at: { sql: UPDATED, kind: 'number' },
    tenant_id: text('tenant_id'),
  } as const;
}
