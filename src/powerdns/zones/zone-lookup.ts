import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { ZonesService } from '../../zones/zones.service.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

@Injectable()
export class ZoneLookup {
  constructor(private readonly zones: ZonesService) {}

  /** @throws ServiceError `zone_not_found` */
  async find(id: string, caller: Caller): Promise<ZoneEntity> {
    const zone = await this.named(zoneNameOf(id), caller);
    if (zone !== null) return zone;
    throw new ServiceError('zone_not_found', `Could not find domain '${zoneNameOf(id).slice(0, 255)}'`);
  }

  /** `null` for an unknown or invalid name. */
  async named(name: string, caller: Caller): Promise<ZoneEntity | null> {
    try {
      return await this.zones.findByName(name, caller);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_object') return null;
      throw error;
    }
  }
}

/** Zone IDs in paths: the name with `=XX` for octets other than letters, digits, `.` and `-`. */

const PLAIN = /[^a-z0-9.-]/g;
const ESCAPE = /=([0-9a-f]{2})/gi;

export function zoneIdOf(name: string): string {
  if (name === '.') return '=2E';
  return name.toLowerCase().replace(PLAIN, (character) => {
    const octets = [...Buffer.from(character)];
    return octets.map((octet) => `=${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
}

/** The zone name of an ID, with the final dot. May be invalid. */
export function zoneNameOf(id: string): string {
  const name = id.replace(ESCAPE, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return name.endsWith('.') ? name : `${name}.`;
}

export function zoneUrlOf(name: string): string {
  return urlOfId(zoneIdOf(name));
}

export function urlOfId(id: string): string {
  return `/api/v1/servers/localhost/zones/${id}`;
}
