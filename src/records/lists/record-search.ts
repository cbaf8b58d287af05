import { Injectable } from '@nestjs/common';
import { isForZone } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import { type SearchClient, inSearchTurns } from '../../common/waiting/search-turns.js';
import { IN_ZONE } from '../../database/statements/contents-id.js';
import { Reads } from '../../database/reads.js';
import { containsSql } from '../../database/statements/text-sql.js';
import { indexedBy, primaryKeyOf, textKey, walked, walkedPortions } from '../../database/statements/walk.js';
import { ZoneWalks } from '../../zones/lists/zone-walks.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { RecordRepository, type RecordView } from '../record.repository.js';
import { SEARCHED_COLUMNS } from './record-lists.js';

/** The last record that a search has read, in the order of zone and record IDs. */
export interface SearchPosition {
  readonly zoneId: string;
  readonly recordId: string;
}

export interface FoundRecord {
  readonly record: RecordView;
  readonly zoneName: string;
}

export interface FoundRecords {
  readonly found: readonly FoundRecord[];
  /** Rows that were read. */
  readonly searched: number;
  /** Where the search goes on; `null` once all zones are searched. */
  readonly next: SearchPosition | null;
}

interface RecordSearchQuery {
  readonly q: string;
  readonly limit: number;
  readonly after: SearchPosition | null;
}

type SearchedZone = Pick<ZoneEntity, 'id' | 'name' | 'nameKey' | 'recordCount'>;

interface SearchedPortion {
  readonly zone: SearchedZone;
  readonly ids: readonly string[];
  readonly read: number;
  readonly end: SearchPosition;
}

/** Bounds of one request. The client goes on from where it ended. */
const MOST_ROWS = 250_000;
const LONGEST_SEARCH_MS = 2000;
const MOST_OCTETS = 2 ** 18;
/** Sorts after every id. */
const END = '~';
const ZONE_COLUMNS = 'zones.id, zones.name, zones.name_key AS "nameKey", zones.record_count AS "recordCount"';

/** Searches the records of all zones of a caller by text, in portions of bounded time (behaviour 6.11). */
@Injectable()
export class RecordSearch {
  constructor(
    private readonly records: RecordRepository,
    private readonly zoneWalks: ZoneWalks,
    private readonly reads: Reads,
    private readonly streams: Streams,
  ) {}

  /** @throws ServiceError `unavailable` if the caller has too many searches under way */
  find(query: RecordSearchQuery, caller: Caller, client: SearchClient): Promise<FoundRecords> {
    return this.reads.offPrimary(() => this.streams.read(client.tenantId, () => this.read(query, caller, client)));
  }

  private async read(query: RecordSearchQuery, caller: Caller, client: SearchClient): Promise<FoundRecords> {
    const found: FoundRecord[] = [];
    let [searched, octets] = [0, 0];
    const deadline = performance.now() + LONGEST_SEARCH_MS;
    for await (const { zone, ids, read, end } of inSearchTurns(this.portions(query, caller), client)) {
      searched += read;
      const wanted = ids.slice(0, query.limit - found.length);
      const { entries, isLast } = await this.records.shownPage(zone.id, wanted);
      found.push(...entries.map((record) => ({ record, zoneName: zone.name })));
      octets += entries.reduce((sum, { data }) => sum + data.length, 0);
      const isFull = !isLast || found.length >= query.limit || octets > MOST_OCTETS;
      const last = isLast ? wanted.at(-1) : entries.at(-1)?.id;
      if (isFull && last !== undefined) return { found, searched, next: { zoneId: zone.id, recordId: last } };
      if (searched >= MOST_ROWS || performance.now() > deadline) return { found, searched, next: end };
    }
    return { found, searched, next: null };
  }

  private async *portions({ q, after }: RecordSearchQuery, caller: Caller): AsyncGenerator<SearchedPortion> {
    const seen = containsSql(SEARCHED_COLUMNS, q);
    // By ID, also with a token for some domains. Its last digit is left out, so that the walk begins with this zone.
    const from = after && [after.zoneId.slice(0, -1)];
    const { restrictions: _restrictions, ...unrestricted } = caller;
    for (const walk of await this.zoneWalks.ofOwner(unrestricted, null, 'created')) {
      for await (const zones of walked<SearchedZone>(this.reads, walk, ZONE_COLUMNS, from)) {
        for (const zone of zones) {
          if (zone.recordCount === 0 || zone.id < (after?.zoneId ?? '') || !isForZone(caller, zone)) continue;
          const begin = zone.id === after?.zoneId ? after.recordId : null;
          for await (const { rows, read, end } of this.recordsOf(zone.id, seen, begin)) {
            const recordId = typeof end?.[0] === 'string' ? end[0] : END;
            yield { zone, ids: rows.map(({ id }) => id), read, end: { zoneId: zone.id, recordId } };
          }
        }
        const last = zones.at(-1);
        if (last === undefined) return;
        yield { zone: last, ids: [], read: zones.length, end: { zoneId: last.id, recordId: END } };
      }
    }
  }

  private recordsOf(zoneId: string, seen: ReturnType<typeof containsSql>, from: string | null) {
    const walk = {
      from: `records${indexedBy(primaryKeyOf('records'))}`,
      where: { sql: IN_ZONE, values: [zoneId] },
      key: [textKey('id')],
      seen,
    };
    return walkedPortions<{ readonly id: string }>(this.reads, walk, 'id', from === null ? null : [from]);
  }
}
