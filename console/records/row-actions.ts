import type { Row } from './row.js';

/** What can be done with a row of the table. */
export interface RowActions {
  readonly onEdit: (row: Row) => void;
  readonly onCopy: (row: Row) => void;
  readonly onRemove: (row: Row) => void;
  readonly onKeep: (row: Row) => void;
}
