import { MINUTE } from '../background/background-task.js';
import { Clock, toUnixSeconds } from '../common/clock.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill, type ModuleImport } from '../plugins/plugin.js';

export const DYNAMIC_UPDATE = feature({
  name: 'dynamic-update',
  entities: async () => [(await import('./answers/update-answer.repository.js')).UpdateAnswerEntity],
  core: async ({ config: { mdns } }) => {
    const { UpdateHandler, NoUpdateHandler } = await import('../publishing/name-server/update-handler.js');
    if (!mdns.updates) return { ports: [fill(UpdateHandler, NoUpdateHandler)] };
    const { KnownUpdateKeys } = await import('./update-keys/known-update-keys.js');
    const { UpdateAnswerRepository } = await import('./answers/update-answer.repository.js');
    return {
      modules: [await answersModule()],
      ports: [fill(UpdateHandler, (await import('./dns-updates.js')).DnsUpdates)],
      background: [
        { service: KnownUpdateKeys, after: 'name-server' },
        { service: KnownUpdateKeys, after: 'standby-name-server' },
      ],
      retention: [
        {
          name: 'dynamic-update.answers',
          subject: 'old answers to DNS updates',
          every: MINUTE,
          remove: (services, tx) =>
            services.get(UpdateAnswerRepository).removeSome(tx, toUnixSeconds(services.get(Clock).now())),
        },
      ],
    };
  },
});

/** The dependencies of `DnsUpdates`, which fills a port of the name server. */
async function answersModule(): Promise<ModuleImport> {
  const { ZoneChangesModule } = await import('../zones/zones.module.js');
  const { IdempotentUpdates } = await import('./answers/idempotent-updates.js');
  const { UpdateTurns } = await import('./update-turns.js');
  return moduleOf('UpdateAnswers', {
    imports: [ZoneChangesModule],
    providers: [
      (await import('./answers/update-answer.repository.js')).UpdateAnswerRepository,
      IdempotentUpdates,
      UpdateTurns,
    ],
    exports: [IdempotentUpdates, UpdateTurns, ZoneChangesModule],
  });
}
