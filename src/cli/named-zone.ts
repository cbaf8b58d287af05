import type { Services } from '../plugins/command.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZonesService } from '../zones/zones.service.js';
import { operatorFor } from './operator.js';

/** @throws Error that tells the operator that there is no such zone */
export async function zoneNamed(services: Services, name: string): Promise<ZoneEntity> {
  const absolute = absoluteName(name);
  const zone = await services.get(ZonesService).findByName(absolute, operatorFor('admin'));
  if (zone === null) throw new Error(`there is no domain ${absolute}`);
  return zone;
}

/** On a command line the final dot may be left out. */
export function absoluteName(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}
