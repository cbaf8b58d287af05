import { HOUR } from '../../background/background-task.js';
import { feature, moduleOf } from '../../plugins/feature.js';

export const OWNERSHIP_TRANSFER_REQUESTS = feature({
  name: 'zone-transfer-requests',
  entities: async () => Object.values(await import('./ownership-transfer.entity.js')),
  api: async () => {
    const { OwnershipTransferRepository } = await import('./ownership-transfer.repository.js');
    return {
      v2: [
        moduleOf('ZoneTransferRequests', {
          imports: [(await import('../zones.module.js')).ZoneChangesModule],
          controllers: [
            (await import('./v2/transfer-requests.controller.js')).TransferRequestsController,
            (await import('./v2/transfer-accepts.controller.js')).TransferAcceptsController,
          ],
          providers: [
            OwnershipTransferRepository,
            (await import('./ownership-transfers.service.js')).OwnershipTransfersService,
          ],
        }),
      ],
      // Nothing shows transfer requests of deleted zones.
      retention: [
        {
          name: 'zones.transfer-requests',
          subject: 'transfer requests of deleted zones',
          every: HOUR,
          remove: async (services, tx) => {
            await services.get(OwnershipTransferRepository).deleteOrphaned(tx);
            return false;
          },
        },
      ],
    };
  },
});
