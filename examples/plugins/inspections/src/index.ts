import { definePlugin } from 'zonewright';
import { CreateInspections1764000000000 } from './create-inspections.js';
import { INSPECT } from './inspect.command.js';
import { InspectionEntity } from './inspection.entity.js';
import { InspectionsHealth } from './inspections.health.js';
import { METRICS } from './inspections.metrics.js';
import { InspectionsAdminModule, InspectionsModule } from './inspections.module.js';
import { OPTIONS } from './inspections.options.js';

export default definePlugin({
  name: 'inspections',
  zonewright: '^1.0.0',
  options: OPTIONS,
  commands: [INSPECT],
  schema: () => ({ entities: [InspectionEntity], migrations: [CreateInspections1764000000000] }),
  core: ({ options }) => ({ modules: [InspectionsModule.register(options)] }),
  api: () => ({
    adminExtensions: { inspections: InspectionsAdminModule },
    healthChecks: [{ name: 'overdue', check: InspectionsHealth }],
    metrics: METRICS,
  }),
});
