import { locateDatabase } from '../database/database-url.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill } from '../plugins/plugin.js';

const MIB = 2 ** 20;

export const ZONE_FILES = feature({
  name: 'zone-files',
  entities: async () => [(await import('./tasks/zone-task.entity.js')).ZoneTaskEntity],
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
    const { PlanCheck } = await import('./zone-check.service.js');
    return { modules: [ZoneFilesModule.register(options)], ports: [fill(PlanFindings, PlanCheck)] };
  },
  api: async ({ config: { api } }) => {
    const { ZoneTaskUpkeep } = await import('./tasks/zone-task-recovery.js');
    return {
      background: api.enableV2 ? [{ service: ZoneTaskUpkeep }] : [],
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
          providers: [ZoneTaskUpkeep],
        }),
      ],
    };
  },
});
