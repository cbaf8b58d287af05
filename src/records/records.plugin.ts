import { migration } from '../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../plugins/feature.js';

/** Records and the sets that they are served in. */
export const RECORDS = feature({
  name: 'records',
  recordTypes: async () => (await import('../dns/rdata/index.js')).STANDARD_TYPES,
  schema: async () => ({
    // The first migrations of zones make these tables: what is in a zone changes with it.
    entities: [
      (await import('./record.entity.js')).RecordEntity,
      (await import('./record-set.entity.js')).RecordSetEntity,
      (await import('./record-set-creator.entity.js')).RecordSetCreatorEntity,
    ],
    migrations: [
      migration(
        'NoteSerialsOfRecordSets1763861000000',
        () => import('../database/migrations/1763861000000-note-serials-of-record-sets.js'),
      ),
      migration('ExpireRecords1763881000000', () => import('../database/migrations/1763881000000-expire-records.js')),
      migration('NameDhcid1763960002000', () => import('../database/migrations/1763960002000-name-dhcid.js')),
      migration(
        'AnnotateRecordSets1763970010000',
        () => import('../database/migrations/1763970010000-annotate-record-sets.js'),
      ),
      migration(
        'ExpandTypeNames1764050000000',
        () => import('../database/migrations/1764050000000-expand-type-names.js'),
      ),
      migration(
        'ExpandWidthsOfNames1764100000000',
        () => import('../database/migrations/1764100000000-expand-widths-of-names.js'),
      ),
    ],
  }),
  core: async ({ config: { central, api }, recordTypes }) => {
    const { RecordsModule } = await import('./records.module.js');
    const { generationOf } = await import('../zones/generation.js');
    const { supported: types, known: knownTypes } = await recordTypes();
    const { strictClients, maxChanges, expiringRecords } = api;
    const options = { types, knownTypes, generation: generationOf(central), minTtl: central.minTtl };
    return { modules: [RecordsModule.register({ ...options, strictClients, maxChanges, expiringRecords })] };
  },
  api: async () => ({
    modules: [
      moduleOf('RecordsUpkeep', {
        providers: [
          (await import('./maintenance/record-expiry.js')).RecordExpiry,
          (await import('./maintenance/record-set-creators-cleanup.js')).RecordSetCreatorsCleanup,
        ],
      }),
      moduleOf('RecordsV1', {
        controllers: [
          (await import('./v1/records.controller.js')).RecordsController,
          (await import('./v1/changes.controller.js')).ChangesController,
          (await import('./v1/record-types.controller.js')).RecordTypesController,
        ],
      }),
    ],
    v2: [
      moduleOf('RecordsV2', {
        controllers: [
          (await import('./v2/record-sets.controller.js')).RecordSetsController,
          (await import('./v2/all-record-sets.controller.js')).AllRecordSetsController,
        ],
        providers: [
          (await import('./v2/record-set-answers.js')).RecordSetAnswers,
          (await import('./v2/record-set-updates.js')).RecordSetUpdates,
        ],
      }),
    ],
  }),
});
