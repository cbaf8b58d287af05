import type { Config } from '../../config/config.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import { fill, type ModuleImport } from '../../plugins/plugin.js';
import type { PublicationReceiver } from '../publication-notice.js';

/** Events that say which changes have reached the name servers (behaviour 19.15), where somebody can be told of them. */
export const PUBLICATIONS = feature({
  name: 'publications',
  schema: async () => ({
    entities: [(await import('./awaited-publication.entity.js')).AwaitedPublicationEntity],
    migrations: [
      (await import('../../database/migrations/1764010000000-await-publications.js')).AwaitPublications1764010000000,
    ],
  }),
  core: async ({ config }) => {
    const { PublicationProgress, UnheededProgress } = await import('../../zones/publication-progress.js');
    if (!areTold(config)) return { ports: [fill(PublicationProgress, UnheededProgress)] };
    const { AwaitedPublicationRepository } = await import('./awaited-publication.repository.js');
    const { AwaitedProgress } = await import('./awaited-progress.js');
    const shared = [AwaitedPublicationRepository];
    const module = moduleOf('AwaitedPublications', { global: true, providers: shared, exports: shared });
    return { modules: [module], ports: [fill(PublicationProgress, AwaitedProgress)] };
  },
  api: async ({ config }) => {
    if (!areTold(config)) return {};
    const { PublicationListener } = await import('./publication-listener.js');
    return {
      modules: [await judgeModule(config)],
      listeners: [{ name: 'publications', listener: PublicationListener }],
    };
  },
});

/** Without name servers that are asked nothing has to arrive anywhere. */
function areTold({ api, mdns }: Config): boolean {
  return mdns.secondaries.length > 0 && api.v1Extensions.some((name) => name === 'events' || name === 'webhooks');
}

async function judgeModule({ api, mdns }: Config): Promise<ModuleImport> {
  const { PublicationEventsOptions, PublicationJudge } = await import('./publication-judge.js');
  const receivers = [
    ...(api.v1Extensions.includes('events') ? [(await import('../events/event-log.service.js')).EventLog] : []),
    ...(api.v1Extensions.includes('webhooks')
      ? [(await import('../webhooks/webhook-publications.js')).WebhookPublications]
      : []),
  ];
  const options = {
    provide: PublicationEventsOptions,
    useFactory: (...all: PublicationReceiver[]) => new PublicationEventsOptions(all, mdns.laggingAfter),
    inject: receivers,
  };
  return moduleOf('PublicationEvents', {
    global: true,
    providers: [options, PublicationJudge],
    exports: [PublicationJudge],
  });
}
