import { administrator, type Caller } from '../common/caller.js';
import type { Services } from '../plugins/command.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZonesService } from '../zones/zones.service.js';

/** Commands act as an admin for every tenant. */
export function operatorFor(tenantId: string): Caller {
  return administrator('operator', 'cli', tenantId);
}

export async function zoneNamed(services: Services, name: string): Promise<ZoneEntity> {
  const absolute = absoluteName(name);
  const zone = await services.get(ZonesService).findByName(absolute, operatorFor('admin'));
  if (zone === null) throw new Error(`there is no domain ${absolute}`);
  return zone;
}

/** Adds the final dot, which is optional in arguments. */
export function absoluteName(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}
