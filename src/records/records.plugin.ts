import { HOUR } from '../background/background-task.js';
import { feature, moduleOf } from '../plugins/feature.js';

export const RECORDS = feature({
  name: 'records',
  recordTypes: async () => (await import('../dns/rdata/index.js')).STANDARD_TYPES,
  entities: async () => [
    (await import('./record.entity.js')).RecordEntity,
    (await import('./record-set.entity.js')).RecordSetEntity,
    (await import('./record-set.entity.js')).RecordSetCreatorEntity,
  ],
  core: async ({ config: { central, api }, recordTypes }) => {
    const { RecordsModule } = await import('./records.module.js');
    const { generationOf } = await import('../zones/generation.js');
    const { supported: types, known: knownTypes } = await recordTypes();
    const { strictClients, maxChanges, expiringRecords } = api;
    const options = { types, knownTypes, generation: generationOf(central), minTtl: central.minTtl };
    return { modules: [RecordsModule.register({ ...options, strictClients, maxChanges, expiringRecords })] };
  },
  api: async () => {
    const { RecordExpiry } = await import('./maintenance/record-expiry.js');
    const { RecordSetCreatorRepository } = await import('./record-set-creator.repository.js');
    return {
      modules: [
        moduleOf('RecordsUpkeep', {
          providers: [RecordExpiry],
        }),
        moduleOf('RecordsV1', {
          controllers: [
            (await import('./v1/records.controller.js')).RecordsController,
            (await import('./v1/changes.controller.js')).ChangesController,
            (await import('./v1/labels.controller.js')).LabelsController,
            (await import('./v1/reverse.controller.js')).ReverseController,
            (await import('./v1/record-types.controller.js')).RecordTypesController,
            (await import('./v1/managed-records.controller.js')).ManagedRecordsController,
            (await import('./v1/search.controller.js')).RecordSearchController,
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
            (await import('./v2/pipes/new-record-set.pipe.js')).RecordSetUpdates,
          ],
        }),
      ],
      background: [{ service: RecordExpiry }],
      retention: [
        {
          name: 'records.creators',
          subject: 'creators of removed record sets',
          every: HOUR,
          remove: async (services, tx) => {
            await services.get(RecordSetCreatorRepository).deleteOfLostSets(tx);
            return false;
          },
        },
      ],
    };
  },
});
