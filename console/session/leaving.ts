/** Time in which the browser begins to load the other page. */
const WITHIN = 10_000;
let until = 0;
const listeners = new Set<() => void>();
/** Begins the keys of what the tab keeps for the page while it is left. */
export const KEPT = 'zonewright.kept.';

/** Has something stored before the page leaves to sign in. */
export function beforeLeaving(keep: () => void): () => void {
  listeners.add(keep);
  return () => void listeners.delete(keep);
}

/** The page itself leaves to sign in or out elsewhere. The tab keeps the pending changes. */
export function leaveTo(address: string): void {
  for (const keep of listeners) keep();
  until = performance.now() + WITHIN;
  window.location.assign(address);
}

export function reloadPage(): void {
  until = performance.now() + WITHIN;
  window.location.reload();
}

export const isLeaving = (): boolean => performance.now() < until;
