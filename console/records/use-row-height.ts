import { useSyncExternalStore } from 'react';

const WIDE = 36;
/** On a phone a row is a card of several lines. */
const NARROW = 132;
const narrow = window.matchMedia('(max-width: 44rem)');

/** Rows are of one height, so that the scroll bar is true to size before they are loaded. */
export function useRowHeight(): number {
  return useSyncExternalStore(listen, () => (narrow.matches ? NARROW : WIDE));
}

function listen(tell: () => void): () => void {
  narrow.addEventListener('change', tell);
  return () => narrow.removeEventListener('change', tell);
}
