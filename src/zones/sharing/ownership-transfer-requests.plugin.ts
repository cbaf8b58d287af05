import { migration } from '../../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../../plugins/feature.js';

/** Zones that one tenant hands to another (behaviour 13.9). */
export const OWNERSHIP_TRANSFER_REQUESTS = feature({
  name: 'zone-transfer-requests',
  schema: async () => ({
    entities: [
      (await import('./ownership-transfer-request.entity.js')).OwnershipTransferRequestEntity,
      (await import('./ownership-transfer-accept.entity.js')).OwnershipTransferAcceptEntity,
    ],
    migrations: [
      migration(
        'CreateZoneTransferRequests1763863000000',
        () => import('../../database/migrations/1763863000000-create-zone-transfer-requests.js'),
      ),
      migration(
        'IndexTransferAccepts1763890000000',
        () => import('../../database/migrations/1763890000000-index-transfer-accepts.js'),
      ),
    ],
  }),
  api: async () => ({
    v2: [
      moduleOf('ZoneTransferRequests', {
        imports: [(await import('../changes/zone-changes.module.js')).ZoneChangesModule],
        controllers: [
          (await import('./v2/transfer-requests.controller.js')).TransferRequestsController,
          (await import('./v2/transfer-accepts.controller.js')).TransferAcceptsController,
        ],
        providers: [
          (await import('./ownership-transfer.repository.js')).OwnershipTransferRepository,
          (await import('./ownership-transfers.service.js')).OwnershipTransfersService,
          (await import('./ownership-transfers-cleanup.js')).OwnershipTransfersCleanup,
        ],
      }),
    ],
  }),
});
