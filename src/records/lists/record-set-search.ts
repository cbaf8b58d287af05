import { Injectable } from '@nestjs/common';
import type { CollectionQuery } from '../../common/collection-query.js';
import { hasLabels, labelsOf } from '../../common/labels.js';
import { inSearchTurns } from '../../common/waiting/search-turns.js';
import { TextPattern } from '../../common/text-pattern.js';
import { contentsOf } from '../../database/statements/contents-id.js';
import { FoundPage, type ListCursor } from '../../database/statements/found-page.js';
import { sortKeyOf, testOf } from '../../database/statements/column-kinds.js';
import { Reads } from '../../database/reads.js';
import { inKeyOrder } from '../../database/statements/walk.js';
import {
  CANDIDATE_COLUMNS,
  type SetCandidate,
  SetCandidatesRepository,
  type SetSearch,
} from './set-candidates.repository.js';
import { Lookup } from '../../database/statements/lookup.js';
import type { Transaction } from '../../database/transaction.js';

interface SetValues {
  /** Each starts with its priority, if any. */
  readonly texts: readonly string[];
  readonly description: string | null;
}

interface ValueRow {
  readonly id: string;
  readonly priority: number | null;
  readonly data: string | null;
  readonly description: string | null;
}

/** Without a hint SQLite would rather walk a whole zone than fetch the records of a set one by one. */
const valuesSql = (data: string, hint: string): string =>
  `SELECT r.id, r.priority, ${data} AS data, r.description FROM records r${hint}` +
  ` WHERE r.zone_id = ${contentsOf('?')} AND r.owner_key = ? AND r.type = ?`;
const lookup = (data: string): Lookup<ValueRow> =>
  new Lookup<ValueRow>(
    valuesSql(data, ' INDEXED BY records_fingerprint'),
    ['text', 'text', 'text'],
    valuesSql(data, ''),
  );
const FIND = lookup('r.data');
const FIND_DESCRIPTIONS = lookup('NULL');

/** RDATA octets of one read. The text may be four times as long. */
const OCTETS_AT_A_TIME = 2 ** 17;
const RECORDS_AT_A_TIME = 500;

@Injectable()
export class SetValuesRepository {
  /** Groups that fit into one read. A large set is a group of its own. */
  *grouped(sets: readonly SetCandidate[]): Generator<readonly SetCandidate[]> {
    let group: SetCandidate[] = [];
    let [records, octets] = [0, 0];
    for (const set of sets) {
      const isFull = records + set.recordCount > RECORDS_AT_A_TIME || octets + set.octets > OCTETS_AT_A_TIME;
      if (group.length > 0 && isFull) {
        yield group;
        [group, records, octets] = [[], 0, 0];
      }
      group.push(set);
      records += set.recordCount;
      octets += set.octets;
    }
    yield group;
  }

  async of(tx: Transaction, sets: readonly SetCandidate[], wantsData: boolean): Promise<SetValues[]> {
    const keys = sets.map(({ zoneId, ownerKey, type }) => [zoneId, ownerKey, type]);
    const found = await (wantsData ? FIND : FIND_DESCRIPTIONS).rowsByKey(tx, [], keys);
    return sets.map((set, at) => valuesOf(set, set.managed === null ? (found[at] ?? []) : []));
  }
}

function valuesOf({ description }: SetCandidate, rows: readonly ValueRow[]): SetValues {
  const first = rows.reduce<ValueRow | null>((least, row) => (least === null || row.id < least.id ? row : least), null);
  const texts = rows.flatMap(({ priority, data }) => {
    if (data === null) return [];
    return [priority === null ? data : `${priority} ${data}`];
  });
  return { texts, description: description ?? first?.description ?? null };
}

export interface RecordSetSearchRequest extends Omit<SetSearch, 'wants'> {
  readonly query: CollectionQuery;
  readonly behind: SetCandidate | null;
  /** Values of managed sets by id, which are not stored. */
  readonly managedValues: ReadonlyMap<string, readonly string[]>;
}

export interface FoundSets {
  readonly sets: readonly SetCandidate[];
  readonly hasNext: boolean;
  readonly total: number;
}

interface FoundSet extends ListCursor {
  readonly set: SetCandidate;
}

/** Searches the sets of zones one by one. Reads records only for sets that match all other filters. */
@Injectable()
export class RecordSetSearch {
  constructor(
    private readonly reads: Reads,
    private readonly candidates: SetCandidatesRepository,
    private readonly values: SetValuesRepository,
  ) {}

  async find(request: RecordSetSearchRequest): Promise<FoundSets> {
    const { query, behind } = request;
    const { kind, of } = columnOf(query.sort.column);
    const placed = (set: SetCandidate): FoundSet => ({ key: sortKeyOf(kind, of(set)), id: set.id, set });
    const page = new FoundPage<FoundSet>(query, behind && placed(behind));
    for await (const sets of inSearchTurns(this.matching(request), query.searchClient))
      for (const set of sets) page.add(placed(set));
    return { sets: page.entries.map(({ set }) => set), hasNext: page.hasNext, total: page.total };
  }

  private async *matching(request: RecordSetSearchRequest): AsyncGenerator<readonly SetCandidate[]> {
    const { filters, sort } = request.query;
    const { data, description, ...others } = Object.fromEntries(filters);
    const tests = Object.entries(others).map(([name, wanted]) => {
      const { kind, of } = columnOf(name);
      const holds = testOf(kind, wanted);
      return (set: SetCandidate): boolean => holds(of(set));
    });
    if (request.labels.length > 0) tests.push((set) => hasLabels(labelsOf(set), request.labels));
    const wants = { status: filters.has('status'), creator: sort.column === 'tenant_id' };
    const isWanted = valueTest(data, description, request.managedValues);
    // Managed sets have no description, and most have no searchable values.
    const mayHaveValue = ({ id, managed }: SetCandidate): boolean =>
      isWanted === null || managed === null || (description === undefined && request.managedValues.has(id));
    for await (const chunk of this.candidates.portions({ ...request, wants })) {
      const sets = chunk.filter((set) => mayHaveValue(set) && tests.every((holds) => holds(set)));
      if (isWanted === null || sets.length === 0) yield sets;
      else
        for await (const some of this.valued(sets, data !== undefined))
          yield some.filter(isWanted).map(({ set }) => set);
    }
  }

  private async *valued(sets: readonly SetCandidate[], wantsData: boolean): AsyncGenerator<readonly ValuedSet[]> {
    for (const group of this.values.grouped(sets)) {
      const read = await this.reads.run((tx) => inKeyOrder(tx, () => this.values.of(tx, group, wantsData)));
      yield group.map((set, at) => ({ set, values: read[at] ?? NO_VALUES }));
    }
  }
}

interface ValuedSet {
  readonly set: SetCandidate;
  readonly values: SetValues;
}

const NO_VALUES: SetValues = { texts: [], description: null };

function columnOf(name: string) {
  const columns: Readonly<Record<string, (typeof CANDIDATE_COLUMNS)[keyof typeof CANDIDATE_COLUMNS]>> =
    CANDIDATE_COLUMNS;
  const column = columns[name];
  if (column === undefined) throw new Error(`the list has no column ${name}`);
  return column;
}

/** `null` if no filter needs record values. */
function valueTest(
  data: string | undefined,
  description: string | undefined,
  managedValues: RecordSetSearchRequest['managedValues'],
): ((valued: ValuedSet) => boolean) | null {
  if (data === undefined && description === undefined) return null;
  const [likeData, likeDescription] = [patternOf(data), patternOf(description)];
  return ({ set, values }) => {
    if (likeDescription !== null && !(values.description !== null && likeDescription.matches(values.description)))
      return false;
    const texts = set.managed === null ? values.texts : (managedValues.get(set.id) ?? []);
    return likeData === null || texts.some((text) => likeData.matches(text));
  };
}

function patternOf(wanted: string | undefined): TextPattern | null {
  return wanted === undefined ? null : new TextPattern(wanted);
}
