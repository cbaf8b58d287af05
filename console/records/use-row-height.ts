import { useSyncExternalStore } from 'react';

const WIDE = 40;
const TOUCHED = 44;
/** On a phone a row is a card of several lines. */
const NARROW = 80;
const narrow = window.matchMedia('(max-width: 52rem)');
const touched = window.matchMedia('(pointer: coarse)');

/** Rows are of one height, so that the scroll bar is true to size before they are loaded. */
export function useRowHeight(): number {
  return useSyncExternalStore(listen, () => (narrow.matches ? NARROW : touched.matches ? TOUCHED : WIDE));
}

/** Whether rows are cards of a phone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(listen, () => narrow.matches);
}

function listen(tell: () => void): () => void {
  for (const query of [narrow, touched]) query.addEventListener('change', tell);
  return () => {
    for (const query of [narrow, touched]) query.removeEventListener('change', tell);
  };
}
