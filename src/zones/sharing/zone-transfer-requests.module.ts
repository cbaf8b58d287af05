import { Module } from '@nestjs/common';
import { ZoneChangesModule } from '../changes/zone-changes.module.js';
import { TransferAcceptsController } from './v2/transfer-accepts.controller.js';
import { TransferRequestsController } from './v2/transfer-requests.controller.js';
import { ZoneTransferRepository } from './zone-transfer.repository.js';
import { ZoneTransfersCleanup } from './zone-transfers-cleanup.js';
import { ZoneTransfersService } from './zone-transfers.service.js';

/** Transfers of zones between tenants, which version 2 alone has. */
@Module({
  imports: [ZoneChangesModule],
  controllers: [TransferRequestsController, TransferAcceptsController],
  providers: [ZoneTransferRepository, ZoneTransfersService, ZoneTransfersCleanup],
})
export class ZoneTransferRequestsModule {}
