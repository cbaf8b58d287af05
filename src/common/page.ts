/** A part of a list, in the order of its key. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Whether nothing comes after it. A page may end before it has as many entries as were asked for. */
  readonly isLast: boolean;
}
