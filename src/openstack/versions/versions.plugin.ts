import { feature, moduleOf } from '../../plugins/feature.js';

export const VERSIONS = feature({
  name: 'versions',
  api: async ({ config: { api } }) => {
    const { Versions, versionsOf } = await import('./versions.js');
    const { VersionsController } = await import('./discovery/versions.controller.js');
    const { Version2Controller } = await import('./discovery/version2.controller.js');
    const module = moduleOf('Versions', {
      controllers: api.enableV2 ? [VersionsController, Version2Controller] : [VersionsController],
      providers: [
        { provide: Versions, useValue: versionsOf(api) },
        (await import('./discovery/version.dto.js')).VersionAnswers,
      ],
    });
    return { modules: [module] };
  },
});
