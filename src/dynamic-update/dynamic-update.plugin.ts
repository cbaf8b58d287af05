import { migration } from '../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill, type ModuleImport } from '../plugins/plugin.js';

/** Zones that are changed over DNS, by UPDATE messages (behaviour 20). */
export const DYNAMIC_UPDATE = feature({
  name: 'dynamic-update',
  schema: async () => ({
    entities: [(await import('./answers/update-answer.entity.js')).UpdateAnswerEntity],
    migrations: [
      migration(
        'CreateUpdateAnswers1763960001000',
        () => import('../database/migrations/1763960001000-create-update-answers.js'),
      ),
    ],
  }),
  core: async ({ config: { mdns } }) => {
    const { UpdateHandler, NoUpdateHandler } = await import('../publishing/name-server/update-handler.js');
    if (!mdns.updates) return { ports: [fill(UpdateHandler, NoUpdateHandler)] };
    return {
      modules: [await answersModule()],
      ports: [fill(UpdateHandler, (await import('./dns-updates.js')).DnsUpdates)],
    };
  },
});

/** What `DnsUpdates` needs, which fills a port of the name server. */
async function answersModule(): Promise<ModuleImport> {
  const { ZoneChangesModule } = await import('../zones/changes/zone-changes.module.js');
  const { IdempotentUpdates } = await import('./answers/idempotent-updates.js');
  const { UpdateTurns } = await import('./update-turns.js');
  return moduleOf('UpdateAnswers', {
    imports: [ZoneChangesModule],
    providers: [
      (await import('./answers/update-answer.repository.js')).UpdateAnswerRepository,
      IdempotentUpdates,
      UpdateTurns,
      (await import('./answers/update-answers-cleanup.js')).UpdateAnswersCleanup,
    ],
    exports: [IdempotentUpdates, UpdateTurns, ZoneChangesModule],
  });
}
