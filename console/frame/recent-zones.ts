import { useEffect } from 'react';
import { storedTexts, storeTexts, useTenantKey } from '../session/tenant-storage.js';

const PREFIX = 'zonewright.recent-zones.';
const MOST = 5;

/** Names of the zones that were opened last, the latest first. */
export function useRecentZones(): readonly string[] {
  return storedTexts(useTenantKey(PREFIX), MOST);
}

/** @param zone the open zone; `undefined`: not read yet @param missing the name of a zone that does not exist */
export function useRecentZone(zone: string | undefined, missing: string | null): void {
  const key = useTenantKey(PREFIX);
  useEffect(() => {
    if (key === null) return;
    const others = storedTexts(key, MOST).filter((name) => name !== zone && name !== missing);
    // If the storage is full, the search still finds the zone.
    if (missing !== null) storeTexts(key, others);
    else if (zone !== undefined) storeTexts(key, [zone, ...others].slice(0, MOST));
  }, [key, zone, missing]);
}

/** Signing out deletes the recent zones of all tenants. */
export function forgetRecentZones(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
