import type { Row } from './row.js';

/** Actions of a table row. */
export interface RowActions {
  readonly onEdit: (row: Row) => void;
  readonly onCopy: (row: Row) => void;
  readonly onRemove: (row: Row) => void;
  /** Drops the pending change of the record. */
  readonly onKeep: (row: Row) => void;
}

/** A row with more actions open, and the button that opened them. */
export interface OpenMenu {
  readonly row: Row;
  readonly index: number;
  readonly trigger: HTMLElement;
}
