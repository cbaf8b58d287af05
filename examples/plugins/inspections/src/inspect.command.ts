import { command } from 'zonewright';
import type { InspectionEntity } from './inspection.entity.js';
import { InspectionsService } from './inspections.service.js';

export const INSPECT = command({
  name: 'inspect',
  description: 'look for mistakes in one zone or in all, and note them; exit code 1 when there are errors',
  arguments: '[zone]',
  run: async ({ withServices }, { arguments: [zone] }) => {
    await withServices(async (services) => {
      const inspections = services.get(InspectionsService);
      if (zone !== undefined) return show(await inspections.inspect(absolute(zone)));
      for await (const inspection of inspections.inspectAll()) show(inspection);
    });
  },
});

function show({ zone, errors, warnings }: InspectionEntity): void {
  console.log(`${zone} errors: ${errors}, warnings: ${warnings}`);
  if (errors > 0) process.exitCode = 1;
}

function absolute(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}
