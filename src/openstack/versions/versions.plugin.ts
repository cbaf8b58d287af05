import { feature, moduleOf } from '../../plugins/feature.js';

/** Which versions of the interface there are. */
export const VERSIONS = feature({
  name: 'versions',
  api: async ({ config: { api } }) => {
    const { Versions, VersionsOptions } = await import('./versions.js');
    const { VersionsController } = await import('./v1/versions.controller.js');
    const { Version2Controller } = await import('./v2/version2.controller.js');
    const module = moduleOf('Versions', {
      controllers: api.enableV2 ? [VersionsController, Version2Controller] : [VersionsController],
      providers: [{ provide: VersionsOptions, useValue: { hasVersion2: api.enableV2 } }, Versions],
    });
    return { modules: [module] };
  },
});
