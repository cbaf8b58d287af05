import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { type SearchClient, inSearchTurns } from '../../common/waiting/search-turns.js';
import { Reads } from '../../database/reads.js';
import { type AnnotatedSet, AnnotatedSets } from '../../records/annotated-sets.repository.js';
import type { SetKey } from '../../records/record-set.entity.js';
import { isLongJson } from '../../http/server/response-pieces.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { RrsetViews, type RrsetView } from '../rrsets/rrset-views.js';
import { zoneIdOf } from '../zones/zone-lookup.js';
import { narrowed } from '../../database/statements/filtered-pages.js';
import { mayMatchSql } from '../../database/statements/text-sql.js';
import { walked } from '../../database/statements/walk.js';
import { ZoneWalks } from '../../zones/lists/zone-walks.js';
import { TextPattern } from '../../common/text-pattern.js';
import { refuse } from '../input.js';

export type ObjectType = 'all' | 'zone' | 'record' | 'comment';

interface Search {
  readonly pattern: string;
  readonly max: number;
  readonly type: ObjectType;
}

export interface FoundObjects {
  readonly first: readonly object[];
  /** `null`: complete. */
  readonly rest: AsyncGenerator<readonly object[]> | null;
}

const ZONES = 100;
/** The case of other letters than those of ASCII is ignored too. */
const NOT_LITERAL = /[*?\u0080-\uffff]/;

/** Searches all zones of the caller in portions, between turns of other requests. */
@Injectable()
export class SearchService {
  constructor(
    private readonly zones: ZonesService,
    private readonly walks: ZoneWalks,
    private readonly sets: AnnotatedSets,
    private readonly rrsets: RrsetViews,
    private readonly reads: Reads,
  ) {}

  /**
   * The first 256 KiB of results, and a generator of the rest.
   * @throws ServiceError `unavailable` after a long search
   */
  find(search: Search, caller: Caller, searchClient: SearchClient): Promise<FoundObjects> {
    return this.reads.offPrimary(() => this.read(search, caller, searchClient));
  }

  private async read(
    { pattern, max, type }: Search,
    caller: Caller,
    searchClient: SearchClient,
  ): Promise<FoundObjects> {
    const portions = inSearchTurns(this.portions(pattern, type, caller), searchClient);
    const all = firstOf(portions, max);
    const first: object[] = [];
    while (!isLongJson(first)) {
      const next = await all.next();
      if (next.done === true) return { first, rest: null };
      first.push(...next.value);
    }
    return { first, rest: all };
  }

  private async *portions(pattern: string, type: ObjectType, caller: Caller): AsyncGenerator<object[]> {
    const matches = wildcards(pattern);
    if (type === 'all' || type === 'zone')
      for await (const zones of this.namesLike(pattern, caller)) yield zones.filter(hasName(matches)).map(foundZone);
    if (type === 'zone') return;
    for await (const zones of this.zonePages(caller)) for (const zone of zones) yield* this.inZone(zone, matches, type);
  }

  /** Includes all matching zones. */
  private async *namesLike(pattern: string, caller: Caller): AsyncGenerator<readonly NamedZone[]> {
    const texts = pattern.split(NOT_LITERAL);
    const walks = await this.walks.having(texts, await this.walks.ofOwner(caller, null, 'created'));
    const mayMatch = mayMatchSql('zones.name', `*${texts.join('*')}*`);
    for (const walk of walks) yield* walked<NamedZone>(this.reads, narrowed(walk, mayMatch), 'zones.name');
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
      // The apex sorts first.
      const apexKey = isFirst ? zone.nameKey : null;
      const isApex = ({ ownerKey }: AnnotatedSet): boolean => ownerKey === apexKey;
      const apex = isFirst ? this.rrsets.ofApex(zone, sets.filter(isApex)) : [];
      const below = sets.filter((set) => !isApex(set));
      yield objectsOf(zone, [...apex, ...this.rrsets.of(zone, below)], matches, type);
      isFirst = false;
      after = sets.at(-1) ?? null;
    } while (after !== null);
  }

  /** A zone without sets has only generated sets. */
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
type NamedZone = Pick<ZoneEntity, 'name'>;

function hasName(matches: Matches) {
  return ({ name }: NamedZone): boolean => matches(name) || matches(name.slice(0, -1));
}

function foundZone({ name }: NamedZone): object {
  const shown = name.toLowerCase();
  return { name: shown, object_type: 'zone', zone_id: zoneIdOf(shown) };
}

function objectsOf(zone: ZoneEntity, sets: readonly RrsetView[], matches: Matches, type: ObjectType): object[] {
  const of = { zone: zone.name.toLowerCase(), zone_id: zoneIdOf(zone.name) };
  return sets.flatMap(({ name, type: rrtype, ttl, records, comments }) => {
    const isNamed = matches(name) || matches(name.slice(0, -1));
    // PowerDNS stores names without the final dot, so its clients search without it.
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

/** Limits the cost of `?`, which grows with the pattern. */
const LONGEST_WITH_MARKS = 100;

/** Compiles a case-insensitive pattern: `*` matches any text, `?` one character. */
export function wildcards(pattern: string): (text: string) => boolean {
  if (!pattern.includes('?')) {
    const plain = new TextPattern(pattern);
    return (text) => plain.matches(text);
  }
  if (pattern.length > LONGEST_WITH_MARKS) refuse(`A query with ? has at most ${LONGEST_WITH_MARKS} characters`);
  const wanted = pattern.toLowerCase();
  return (text) => isLike(text.toLowerCase(), wanted);
}

function isLike(text: string, pattern: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let behindStar = 0;
  while (at < text.length) {
    if (pattern[place] === '*') {
      star = place;
      behindStar = at;
      place += 1;
    } else if (pattern[place] === '?' || pattern[place] === text[at]) {
      at += 1;
      place += 1;
    } else if (star !== -1) {
      // Backtrack: the last `*` takes one character more.
      place = star + 1;
      behindStar += 1;
      at = behindStar;
    } else return false;
  }
  while (pattern[place] === '*') place += 1;
  return place === pattern.length;
}
