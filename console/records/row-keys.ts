import type { KeyboardEvent } from 'react';
import { areShortcutsOn } from '../frame/shortcuts.js';
import type { Permitted } from '../session/permitted.js';
import type { RowActions } from './row-actions.js';
import { isWriter, permittedAtRow, type Row } from './row.js';

interface Pressed extends RowActions {
  readonly row: Row | null;
  readonly index: number;
  readonly may: Permitted;
  readonly isSelected: boolean;
  readonly onSelect: (index: number, isSelected: boolean, isRange: boolean) => void;
}

/** The keys of a focused row: arrows to its controls, Enter edits, Delete deletes. */
export function pressInRow(event: KeyboardEvent, pressed: Pressed): void {
  const { row, index, may: all, isSelected, onEdit, onRemove, onSelect } = pressed;
  if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') return moveWithin(event);
  const may = permittedAtRow(all, row);
  if (!isWriter(may) || event.target !== event.currentTarget) return;
  const isDeleted = row.entry?.action === 'delete';
  const single: Readonly<Record<string, () => void>> = areShortcutsOn()
    ? {
        e: () => may.update && !isDeleted && onEdit(row),
        x: () => row.stored !== null && onSelect(index, !isSelected, false),
      }
    : {};
  const keys: Readonly<Record<string, () => void>> = {
    ...single,
    Enter: () => may.update && !isDeleted && onEdit(row),
    Delete: () => may.delete && !isDeleted && onRemove(row),
  };
  const act = keys[event.key];
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** From the row to its controls, and back to the row. */
function moveWithin(event: KeyboardEvent): void {
  const row = event.currentTarget as HTMLElement;
  const controls = [...row.querySelectorAll<HTMLElement>('input, a, button')].filter((one) => one.checkVisibility());
  const stops = [row, ...controls];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const to = stops[at + (event.key === 'ArrowRight' ? 1 : -1)];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}

interface Place {
  readonly active: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
  readonly move: (to: number) => void;
}

/** The keys that move from row to row, also from the controls of a row. */
export function pressInGrid(event: KeyboardEvent, { active, height, rowHeight, count, move }: Place): void {
  const isInRow = event.target instanceof HTMLElement && event.target.closest('.rows') !== null;
  if (!isInRow || event.altKey || event.metaKey || event.shiftKey) return;
  const screenful = Math.max(1, Math.floor(height / rowHeight));
  const keys: Readonly<Record<string, number>> = {
    ...(!event.ctrlKey && { ArrowDown: active + 1, ArrowUp: active - 1 }),
    ...(!event.ctrlKey && { PageDown: active + screenful, PageUp: active - screenful }),
    ...{ Home: 0, End: count - 1 },
  };
  const to = keys[event.key];
  if (to === undefined) return;
  event.preventDefault();
  move(to);
}
