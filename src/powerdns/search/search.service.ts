import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { type SearchClient, inSearchTurns } from '../../common/waiting/search-turns.js';
import { Reads } from '../../database/reads.js';
import { type AnnotatedSet, AnnotatedSets } from '../../records/annotated-sets.repository.js';
import type { SetKey } from '../../records/record-set.entity.js';
import { isLongJson } from '../../http/server/json-pieces.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { RrsetViews, type RrsetView } from '../rrsets/rrset-views.js';
import { zoneIdOf } from '../zone-id.js';
import { wildcards } from './wildcards.js';

export type ObjectType = 'all' | 'zone' | 'record' | 'comment';

interface Search {
  readonly pattern: string;
  /** The highest number of objects. */
  readonly max: number;
  readonly type: ObjectType;
}

/** What a search has found. */
export interface FoundObjects {
  readonly first: readonly object[];
  /** `null`: there is no more. */
  readonly rest: AsyncGenerator<readonly object[]> | null;
}

/** Zones of a portion. */
const ZONES = 100;

/** Looks through all that the caller has, in portions between which others have their turn. */
@Injectable()
export class SearchService {
  constructor(
    private readonly zones: ZonesService,
    private readonly sets: AnnotatedSets,
    private readonly rrsets: RrsetViews,
    private readonly reads: Reads,
  ) {}

  /**
   * What is found first, up to 256 KiB of it, and the rest, which is read while it is sent.
   * @throws ServiceError `unavailable` where it takes too long
   */
  find(search: Search, caller: Caller, searchClient: SearchClient): Promise<FoundObjects> {
    return this.reads.offPrimary(() => this.read(search, caller, searchClient));
  }

  private async read(
    { pattern, max, type }: Search,
    caller: Caller,
    searchClient: SearchClient,
  ): Promise<FoundObjects> {
    const portions = inSearchTurns(this.portions(wildcards(pattern), type, caller), searchClient);
    const all = firstOf(portions, max);
    const first: object[] = [];
    while (!isLongJson(first)) {
      const next = await all.next();
      if (next.done === true) return { first, rest: null };
      first.push(...next.value);
    }
    return { first, rest: all };
  }

  private async *portions(matches: Matches, type: ObjectType, caller: Caller): AsyncGenerator<object[]> {
    if (type === 'all' || type === 'zone')
      for await (const zones of this.zonePages(caller)) yield zones.filter(hasName(matches)).map(foundZone);
    if (type === 'zone') return;
    for await (const zones of this.zonePages(caller)) for (const zone of zones) yield* this.inZone(zone, matches, type);
  }

  private async *zonePages(caller: Caller): AsyncGenerator<readonly ZoneEntity[]> {
    for (let marker = ''; ;) {
      const { entries, isLast } = await this.zones.page(caller, marker, ZONES);
      yield entries;
      if (isLast) return;
      marker = entries.at(-1)?.id ?? '';
    }
  }

  private async *inZone(zone: ZoneEntity, matches: Matches, type: ObjectType): AsyncGenerator<object[]> {
    let after: SetKey | null = null;
    let isFirst = true;
    do {
      const sets = await this.page(zone, after);
      // The sets of the apex come before all others.
      const apexKey = isFirst ? zone.nameKey : null;
      const isApex = ({ ownerKey }: AnnotatedSet): boolean => ownerKey === apexKey;
      const apex = isFirst ? this.rrsets.ofApex(zone, sets.filter(isApex)) : [];
      const below = this.rrsets.of(
        zone,
        sets.filter((set) => !isApex(set)),
      );
      yield objectsOf(zone, [...apex, ...below], matches, type);
      isFirst = false;
      after = sets.at(-1) ?? null;
    } while (after !== null);
  }

  /** Of a zone without sets, what there is to be found is in its row. */
  private page(zone: ZoneEntity, after: SetKey | null): Promise<readonly AnnotatedSet[]> {
    if (zone.recordSetCount === 0) return Promise.resolve([]);
    return this.reads.run((tx) => this.sets.page(tx, zone.id, after));
  }
}

async function* firstOf(portions: AsyncIterable<readonly object[]>, max: number): AsyncGenerator<readonly object[]> {
  let left = max;
  for await (const objects of portions) {
    if (objects.length === 0) continue;
    yield objects.slice(0, left);
    left -= objects.length;
    if (left <= 0) return;
  }
}

type Matches = (text: string) => boolean;

function hasName(matches: Matches) {
  return ({ name }: ZoneEntity): boolean => matches(name) || matches(name.slice(0, -1));
}

function foundZone({ name }: ZoneEntity): object {
  const shown = name.toLowerCase();
  return { name: shown, object_type: 'zone', zone_id: zoneIdOf(shown) };
}

function objectsOf(zone: ZoneEntity, sets: readonly RrsetView[], matches: Matches, type: ObjectType): object[] {
  const of = { zone: zone.name.toLowerCase(), zone_id: zoneIdOf(zone.name) };
  return sets.flatMap(({ name, type: rrtype, ttl, records, comments }) => {
    const isNamed = matches(name) || matches(name.slice(0, -1));
    // PowerDNS stores contents without the final dot of their names, so its clients search without it.
    const hits = (text: string): boolean =>
      isNamed || matches(text) || (text.endsWith('.') && matches(text.slice(0, -1)));
    const found = records
      .filter(({ content }) => hits(content))
      .map(({ content, disabled }) => ({ content, disabled, name, object_type: 'record', ttl, type: rrtype, ...of }));
    const said = comments
      .filter(({ content }) => hits(content))
      .map(({ content }) => ({ content, name, object_type: 'comment', type: rrtype, ...of }));
    return [...(type === 'comment' ? [] : found), ...(type === 'record' ? [] : said)];
  });
}
