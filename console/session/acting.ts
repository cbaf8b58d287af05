import { useSyncExternalStore } from 'react';

const KEY = 'zonewright.acting';
const listeners = new Set<() => void>();
/** Read when it is asked for first. */
let tenant: string | null | undefined;

/** The tenant that an admin acts for in this tab; `null`: for nobody else. */
export function actingFor(): string | null {
  tenant ??= sessionStorage.getItem(KEY);
  return tenant;
}
export const useActingFor = (): string | null => useSyncExternalStore(listen, actingFor);

export function actFor(chosen: string | null): void {
  tenant = chosen;
  if (chosen === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, chosen);
  for (const tell of listeners) tell();
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
