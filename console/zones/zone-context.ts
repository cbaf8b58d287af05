import { createContext, useContext } from 'react';
import type { SeenZone } from '../api/queries.js';

export interface OpenZone extends SeenZone {
  /** Where changes to the zone are gathered: the zone, for the tenant that is acted for. */
  readonly place: string;
}

const ZoneContext = createContext<OpenZone | null>(null);

export const ZoneProvider = ZoneContext.Provider;

/** The zone whose screen is open. */
export function useOpenZone(): OpenZone {
  const zone = useContext(ZoneContext);
  if (zone === null) throw new Error('No zone is open.');
  return zone;
}
