import { migration } from '../database/schema/lazy-migration.js';
import { locateDatabase } from '../database/database-url.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill } from '../plugins/plugin.js';

const MIB = 2 ** 20;

/** Zone files: import, export, check; imports and exports to be looked at later. */
export const ZONE_FILES = feature({
  name: 'zone-files',
  schema: async () => ({
    entities: [(await import('./tasks/zone-task.entity.js')).ZoneTaskEntity],
    migrations: [
      migration(
        'CreateZoneTasks1763862000000',
        () => import('../database/migrations/1763862000000-create-zone-tasks.js'),
      ),
    ],
  }),
  core: async ({ config: { central, api, database }, recordTypes }) => {
    const { ZoneFilesModule } = await import('./zone-files.module.js');
    const { known: knownTypes } = await recordTypes();
    const { Limiter } = await import('../common/waiting/limiter.js');
    const options = {
      minTtl: central.minTtl,
      knownTypes,
      maxBodySize: api.maxBodySize,
      imports: Limiter.ofTenants('imports', api.maxImports),
      exportSpace: api.exportSpace * MIB,
      isAlone: locateDatabase(database.url).kind !== 'server',
    };
    const { PlanFindings } = await import('../records/plan-findings.js');
    const { PlanCheck } = await import('./plan-check.js');
    return { modules: [ZoneFilesModule.register(options)], ports: [fill(PlanFindings, PlanCheck)] };
  },
  api: async () => ({
    modules: [
      moduleOf('ZoneFilesV1', {
        controllers: [(await import('./v1/zone-files.controller.js')).ZoneFilesController],
      }),
    ],
    v2: [
      moduleOf('ZoneFilesV2', {
        controllers: [
          (await import('./v2/zone-exports.controller.js')).ZoneExportsController,
          (await import('./v2/zone-imports.controller.js')).ZoneImportsController,
        ],
        providers: [(await import('./tasks/zone-task-recovery.js')).ZoneTaskUpkeep],
      }),
    ],
  }),
});
