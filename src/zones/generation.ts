import { ServiceError } from '../common/service-error.js';
import { RdataError } from '../dns/rdata/rdata-error.js';
import { NS } from '../dns/rdata/name-types.js';
import type { ApexNs, Generation } from '../plugins/change-listener.js';
import type { ZoneEntity } from './zone.entity.js';

export function servedNameServers({
  nameServers,
  apexNs,
}: Pick<Generation, 'nameServers' | 'apexNs'>): readonly string[] {
  return apexNs !== undefined && apexNs.names.length > 0 ? apexNs.names : nameServers;
}

export function servedSoaTtl({ ttl, soaTtl }: { readonly ttl: number; readonly soaTtl: number | null }): number {
  return soaTtl ?? ttl;
}

export function generationOf(central: ConfiguredGeneration): Generation {
  return { nameServers: central.nameServers, ...central.soaTimers };
}

interface ConfiguredGeneration extends Pick<Generation, 'nameServers'> {
  readonly soaTimers: Omit<Generation, 'nameServers'>;
}

/** An answer has no room for more names with their addresses. */
const MOST_NAMES = 100;

/** `null`: the service's name servers. */
export function readApexNs({ apexNs }: Pick<ZoneEntity, 'apexNs'>): ApexNs | null {
  // Only services of this folder write the column.
  return apexNs === null ? null : (JSON.parse(apexNs) as ApexNs);
}

export function apexNsColumn(apexNs: ApexNs | null): string | null {
  return apexNs === null ? null : JSON.stringify(apexNs);
}

/** @throws ServiceError `invalid_object` for an empty list */
export function ownApexNs(names: readonly string[] | null): ApexNs | null {
  if (names === null) return null;
  if (names.length === 0)
    throw refused('', 'name_servers: the list is empty; send null for the name servers of the service.');
  return { names, ttl: null };
}

/** Keeps the ttl, which the interfaces do not show. */
export function renamedApexNs(before: ApexNs | null, after: ApexNs | null): ApexNs | null {
  return after === null ? null : { ...after, ttl: after.ttl ?? before?.ttl ?? null };
}

/** @throws ServiceError `invalid_object` for an invalid name, and for a duplicate */
export function assertApexNs({ names }: ApexNs): void {
  if (names.length > MOST_NAMES) throw refused('', `name_servers: a zone has at most ${MOST_NAMES} names.`);
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    const key = keyOf(name, at);
    if (seen.has(key)) throw refused(`[${at}]`, `name_servers: ${name} is listed twice; list each name once.`);
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
