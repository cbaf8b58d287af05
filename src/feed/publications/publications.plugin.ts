import type { Config } from '../../config/config.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import { fill, type ModuleImport } from '../../plugins/plugin.js';

/** Events about the publication of changes (behaviour 19.15), if streams or webhooks can receive them. */
export const PUBLICATIONS = feature({
  name: 'publications',
  entities: async () => [(await import('./awaited-publication.entity.js')).AwaitedPublicationEntity],
  core: async ({ config }) => {
    const { PublicationProgress, UnheededProgress } = await import('../../zones/zone-publication.js');
    if (!areTold(config)) return { ports: [fill(PublicationProgress, UnheededProgress)] };
    const { AwaitedPublicationRepository, AwaitedProgress } = await import('./awaited-publication.repository.js');
    const shared = [AwaitedPublicationRepository];
    const module = moduleOf('AwaitedPublications', { global: true, providers: shared, exports: shared });
    return { modules: [module], ports: [fill(PublicationProgress, AwaitedProgress)] };
  },
  api: async ({ config }) => {
    if (!areTold(config)) return {};
    const { PublicationListener } = await import('./publication-judge.js');
    return {
      modules: [await judgeModule(config)],
      listeners: [{ name: 'publications', listener: PublicationListener }],
      background: [{ service: (await import('./publication-judge.js')).PublicationJudge }],
    };
  },
});

/** Without secondaries, nothing is published. */
function areTold({ api, mdns }: Config): boolean {
  return mdns.secondaries.length > 0 && api.v1Extensions.some((name) => name === 'events' || name === 'webhooks');
}

async function judgeModule({ mdns }: Config): Promise<ModuleImport> {
  const { PublicationEventsOptions, PublicationJudge } = await import('./publication-judge.js');
  const options = { laggingAfter: mdns.laggingAfter };
  return moduleOf('PublicationEvents', {
    global: true,
    providers: [{ provide: PublicationEventsOptions, useValue: options }, PublicationJudge],
    exports: [PublicationJudge],
  });
}
