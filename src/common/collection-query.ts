import type { SearchClient } from './waiting/search-turns.js';

/** Which part of a list is asked for, and in which order. */
export interface CollectionQuery {
  /** By the name of the field. `*` stands for any text. */
  readonly filters: ReadonlyMap<string, string>;
  readonly sort: CollectionSort;
  /** The highest number of entries, at least 1. */
  readonly limit: number;
  /** The id of the last entry already seen. */
  readonly marker: string | null;
  readonly searchClient: SearchClient;
}

/** Entries that are alike in the column stand in the order of their ids, in the same direction. */
export interface CollectionSort {
  readonly column: string;
  readonly isDescending: boolean;
}
