import type { LabelFilter } from './labels.js';
import type { SearchClient } from './waiting/search-turns.js';

export interface CollectionQuery {
  /** By the name of the field. `*` stands for any text. */
  readonly filters: ReadonlyMap<string, string>;
  readonly labels: readonly LabelFilter[];
  readonly sort: CollectionSort;
  readonly limit: number;
  /** Id of the last entry of the previous page. */
  readonly marker: string | null;
  readonly searchClient: SearchClient;
}

/** Ties are ordered by id, in the same direction. */
export interface CollectionSort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A page of a list in key order. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** A page may have fewer entries than requested and still not be the last. */
  readonly isLast: boolean;
}
