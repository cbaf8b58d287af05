import { useWhoami } from '../api/queries.js';
import { useActingFor, useActsForAll } from './acting.js';

/** The key of a list of the tenant that is shown, in the storage of this browser; `null`: not known yet. */
export function useTenantKey(prefix: string): string | null {
  const { data: whoami } = useWhoami();
  const chosen = useActingFor();
  const isForAll = useActsForAll();
  if (isForAll) return `${prefix}all`;
  return whoami === undefined ? null : `${prefix}of/${encodeURIComponent(chosen ?? whoami.tenant_id ?? '')}`;
}

/** Empty if nothing is stored, or something else. */
export function storedTexts(key: string | null, most: number): readonly string[] {
  try {
    const read: unknown = JSON.parse((key === null ? null : localStorage.getItem(key)) ?? '[]');
    return Array.isArray(read) ? read.filter((text) => typeof text === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}

/** @returns false if the storage is full or denied */
export function storeTexts(key: string, texts: readonly string[]): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(texts));
    return true;
  } catch {
    return false;
  }
}
