import { useSyncExternalStore } from 'react';

/** Columns that a user may hide. Name, data and state are always there. */
export const OPTIONAL_COLUMNS = ['type', 'ttl', 'comment', 'changed'] as const;
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];
export type Columns = ReadonlySet<OptionalColumn>;

const KEY = 'zonewright.columns';
const USUAL: Columns = new Set(['type', 'ttl', 'comment']);

const isColumn = (name: unknown): name is OptionalColumn => OPTIONAL_COLUMNS.some((one) => one === name);

/** Reads a stored choice. A value of another version or another program means the usual columns. */
function columnsIn(stored: string | null): Columns {
  if (stored === null) return USUAL;
  return new Set(stored.split(',').filter(isColumn));
}

const listeners = new Set<() => void>();
let current = columnsIn(localStorage.getItem(KEY));

/** The columns of this browser, the same in all zones and tabs. */
export function useColumns(): Columns {
  return useSyncExternalStore(listen, () => current);
}

export function chooseColumns(columns: Columns): void {
  current = columns;
  localStorage.setItem(KEY, [...columns].join());
  for (const tell of listeners) tell();
}

function listen(tell: () => void): () => void {
  const read = ({ key, newValue }: StorageEvent): void => {
    if (key !== KEY) return;
    current = columnsIn(newValue);
    tell();
  };
  listeners.add(tell);
  window.addEventListener('storage', read);
  return () => {
    listeners.delete(tell);
    window.removeEventListener('storage', read);
  };
}

const WIDTHS = {
  type: '6rem',
  ttl: '5rem',
  comment: 'minmax(3rem, 1.5fr)',
  changed: '9rem',
} as const;

/** The tracks of a row for grids that have no place for comments and times too, and for all others. */
export function tracksOf(columns: Columns, mayWrite: boolean): { readonly wide: string; readonly narrow: string } {
  const tracks = (names: readonly OptionalColumn[], name: string, data: string): string => {
    const width = (column: OptionalColumn) => (names.includes(column) && columns.has(column) ? [WIDTHS[column]] : []);
    return [
      ...(mayWrite ? ['var(--select)'] : []),
      ...[name, ...width('type'), ...width('ttl'), data, ...width('comment'), ...width('changed')],
      ...['4.5rem', mayWrite ? '7rem' : 'var(--select)'],
    ].join(' ');
  };
  return {
    wide: tracks(OPTIONAL_COLUMNS, 'minmax(7rem, 2fr)', 'minmax(10rem, 4fr)'),
    narrow: tracks(['type', 'ttl'], 'minmax(5rem, 2fr)', 'minmax(7rem, 4fr)'),
  };
}
