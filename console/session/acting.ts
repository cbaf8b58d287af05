import { useSyncExternalStore } from 'react';

const KEY = 'zonewright.acting';
const ALL_KEY = 'zonewright.all-tenants';
const listeners = new Set<() => void>();
/** Read when it is asked for first. */
let tenant: string | null | undefined;
let isForAll: boolean | undefined;

/** The tenant that an admin acts as in this tab; `null`: none. */
export function actingFor(): string | null {
  tenant ??= sessionStorage.getItem(KEY);
  return tenant;
}
export const useActingFor = (): string | null => useSyncExternalStore(listen, actingFor);

/** Whether an admin sees the zones of all tenants in this tab. */
export function actsForAll(): boolean {
  isForAll ??= sessionStorage.getItem(ALL_KEY) !== null;
  return isForAll;
}
/** Whether the tenant is that of the credential. */
export const useActsForSelf = (): boolean => useSyncExternalStore(listen, () => actingFor() === null && !actsForAll());
export const useActsForAll = (): boolean => useSyncExternalStore(listen, actsForAll);

/** @param chosen `null`: only the tenant of the credential */
export function actFor(chosen: string | null): void {
  keep(KEY, chosen);
  keep(ALL_KEY, null);
  tenant = chosen;
  isForAll = false;
  for (const tell of listeners) tell();
}

export function actForAll(): void {
  keep(KEY, null);
  keep(ALL_KEY, 'true');
  tenant = null;
  isForAll = true;
  for (const tell of listeners) tell();
}

function keep(key: string, value: string | null): void {
  if (value === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, value);
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
