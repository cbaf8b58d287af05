import { ServiceError } from '../common/service-error.js';
import { RdataError } from '../dns/rdata/rdata-error.js';
import { NS } from '../dns/rdata/ns.js';
import type { ApexNs } from './generation.js';
import type { ZoneEntity } from './zone.entity.js';

/** More would not fit into an answer beside their addresses. */
const MOST_NAMES = 100;

/** The NS of the zone's own at its apex; `null` where it has those of the service's name servers. */
export function readApexNs({ apexNs }: Pick<ZoneEntity, 'apexNs'>): ApexNs | null {
  // Only services of this folder write the column.
  return apexNs === null ? null : (JSON.parse(apexNs) as ApexNs);
}

/** How they are stored. */
export function apexNsColumn(apexNs: ApexNs | null): string | null {
  return apexNs === null ? null : JSON.stringify(apexNs);
}

/**
 * The NS that a caller names, with the ttl of the zone; `null` for those of the service's name servers.
 * @throws ServiceError `invalid_object` for an empty list
 */
export function ownApexNs(names: readonly string[] | null): ApexNs | null {
  if (names === null) return null;
  if (names.length === 0) throw refused('', 'name_servers is empty; null has those of the service generated.');
  return { names, ttl: null };
}

/** The NS set once a caller that does not see its ttl has named its name servers: the ttl stays. */
export function renamedApexNs(before: ApexNs | null, after: ApexNs | null): ApexNs | null {
  return after === null ? null : { ...after, ttl: after.ttl ?? before?.ttl ?? null };
}

/** @throws ServiceError `invalid_object` for what is no name of a name server, and for one that is there twice */
export function assertApexNs({ names }: ApexNs): void {
  if (names.length > MOST_NAMES) throw refused('', `A zone has at most ${MOST_NAMES} name servers of its own.`);
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    const key = keyOf(name, at);
    if (seen.has(key)) throw refused(`[${at}]`, `${name} is there twice.`);
    seen.add(key);
  }
}

function keyOf(name: string, at: number): string {
  try {
    return NS.values(NS.parse(name, null)).nameServer.key;
  } catch (error) {
    if (error instanceof RdataError) throw refused(`[${at}]`, `name_servers[${at}]: ${error.message}.`);
    throw error;
  }
}

function refused(at: string, message: string): ServiceError {
  return ServiceError.ofField('invalid_object', `name_servers${at}`, 'format', message);
}
