import type { CommandContext } from '../../plugins/command.js';
import { type ZoneFinding, ZoneCheckService } from '../../zone-files/zone-check.service.js';
import { zoneNamed } from '../named-zone.js';
import { operatorFor } from '../operator.js';

export async function checkZone(context: CommandContext, [name = '']: readonly string[]): Promise<void> {
  const findings = await context.withServices(async (services) => {
    const { id } = await zoneNamed(services, name);
    return services.get(ZoneCheckService).check(id, operatorFor('admin'));
  });
  for (const finding of findings) console.log(describe(finding));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) throw new Error(`name servers refuse ${name}: ${errors} error${errors === 1 ? '' : 's'}`);
  if (findings.length === 0) console.log(`${name} has no errors`);
}

function describe({ severity, name, type, message }: ZoneFinding): string {
  return `${severity}: ${name} ${type}: ${message}`;
}
