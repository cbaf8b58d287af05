import { Injectable } from '@nestjs/common';
import type { CollectionQuery } from '../../common/collection-query.js';
import { inSearchTurns } from '../../common/waiting/search-turns.js';
import { TextPattern } from '../../common/text-pattern.js';
import { FoundPage, type ListCursor } from '../../database/statements/found-page.js';
import { sortKeyOf, testOf } from '../../database/statements/list-column.js';
import { Reads } from '../../database/reads.js';
import { inKeyOrder } from '../../database/statements/walk.js';
import { type SetValues, SetValuesRepository } from '../set-values.repository.js';
import { CANDIDATE_COLUMNS, type SetCandidate } from '../changes/set-candidate.js';
import { SetCandidatesRepository, type SetSearch } from '../changes/set-candidates.repository.js';

/** What is searched, and for whom. */
export interface RecordSetSearchRequest extends Omit<SetSearch, 'wants'> {
  readonly query: CollectionQuery;
  readonly behind: SetCandidate | null;
  /** The values of managed sets, by their ids, where they are searched too: they are not stored. */
  readonly managedValues: ReadonlyMap<string, readonly string[]>;
}

export interface FoundSets {
  readonly sets: readonly SetCandidate[];
  readonly hasNext: boolean;
  /** Of all pages. */
  readonly total: number;
}

interface FoundSet extends ListCursor {
  readonly set: SetCandidate;
}

/** Looks at the sets of zones one after the other; what their records say is read only of those that all else holds for. */
@Injectable()
export class RecordSetSearch {
  constructor(
    private readonly reads: Reads,
    private readonly candidates: SetCandidatesRepository,
    private readonly values: SetValuesRepository,
  ) {}

  /** @throws ServiceError `bad_filter`, `unavailable` */
  async find(request: RecordSetSearchRequest): Promise<FoundSets> {
    const { query, behind } = request;
    const { kind, of } = columnOf(query.sort.column);
    const placed = (set: SetCandidate): FoundSet => ({ key: sortKeyOf(kind, of(set)), id: set.id, set });
    const page = new FoundPage<FoundSet>(query, behind && placed(behind));
    for await (const sets of inSearchTurns(this.matching(request), query.searchClient))
      for (const set of sets) page.add(placed(set));
    return { sets: page.entries.map(({ set }) => set), hasNext: page.hasNext, total: page.total };
  }

  /** The sets that all filters let through, in portions that may be empty. */
  private async *matching(request: RecordSetSearchRequest): AsyncGenerator<readonly SetCandidate[]> {
    const { filters, sort } = request.query;
    const { data, description, ...others } = Object.fromEntries(filters);
    const tests = Object.entries(others).map(([name, wanted]) => {
      const { kind, of } = columnOf(name);
      const holds = testOf(kind, wanted);
      return (set: SetCandidate): boolean => holds(of(set));
    });
    const wants = { status: filters.has('status'), creator: sort.column === 'tenant_id' };
    const isWanted = valueTest(data, description, request.managedValues);
    // Managed sets have no description, and most have no values that could be looked at.
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

  /** Sets with what their records say, as many at a time as have not too much of it together. */
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

/** `null` where records say nothing that is filtered by. */
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
