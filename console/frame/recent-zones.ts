import { useEffect } from 'react';
import { useWhoami } from '../api/queries.js';
import { useActingFor, useActsForAll } from '../session/acting.js';

const PREFIX = 'zonewright.recent-zones.';
const MOST = 5;

/** The key of the recent zones of the tenant that is shown; `null`: not known yet. */
export function useRecentKey(): string | null {
  const { data: whoami } = useWhoami();
  const chosen = useActingFor();
  const isForAll = useActsForAll();
  if (isForAll) return `${PREFIX}all`;
  return whoami === undefined ? null : `${PREFIX}of/${encodeURIComponent(chosen ?? whoami.tenant_id ?? '')}`;
}

/** Names of the zones that were opened last, the latest first. */
export function recentZones(key: string | null): readonly string[] {
  try {
    const read: unknown = JSON.parse((key === null ? null : localStorage.getItem(key)) ?? '[]');
    return Array.isArray(read) ? read.filter((name) => typeof name === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** @param zone the open zone; `undefined`: not read yet @param missing the name of a zone that does not exist */
export function useRecentZone(zone: string | undefined, missing: string | null): void {
  const key = useRecentKey();
  useEffect(() => {
    if (key === null) return;
    const others = recentZones(key).filter((name) => name !== zone && name !== missing);
    if (missing !== null) keep(key, others);
    else if (zone !== undefined) keep(key, [zone, ...others]);
  }, [key, zone, missing]);
}

/** Signing out deletes the recent zones of all tenants. */
export function forgetRecentZones(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}

function keep(key: string, zones: readonly string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(zones.slice(0, MOST)));
  } catch {
    // The storage is full: the search still finds the zone.
  }
}
