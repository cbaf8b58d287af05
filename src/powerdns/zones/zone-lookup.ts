import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { ZonesService } from '../../zones/zones.service.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { zoneNameOf } from '../zone-id.js';

/** Zones by the ids that they have in paths. */
@Injectable()
export class ZoneLookup {
  constructor(private readonly zones: ZonesService) {}

  /** @throws ServiceError `zone_not_found` */
  async find(id: string, caller: Caller): Promise<ZoneEntity> {
    const zone = await this.named(zoneNameOf(id), caller);
    if (zone !== null) return zone;
    throw new ServiceError('zone_not_found', `Could not find domain '${zoneNameOf(id).slice(0, 255)}'`);
  }

  /** `null` for none, and for what is no name of a zone. */
  async named(name: string, caller: Caller): Promise<ZoneEntity | null> {
    try {
      return await this.zones.findByName(name, caller);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_object') return null;
      throw error;
    }
  }
}
