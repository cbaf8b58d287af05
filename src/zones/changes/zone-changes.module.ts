import { Module } from '@nestjs/common';
import { ZoneChanges } from './zone-changes.js';
import { CommitHooks } from './commit-hooks.js';
import { ZoneChangeNotifier } from './zone-change-notifier.js';
import { ZoneCountRepository } from '../zone-count.repository.js';
import { ZoneRepository } from '../zone.repository.js';
import { JournalRepository } from '../journal/journal.repository.js';
import { LastSerialRepository } from '../serials/last-serial.repository.js';
import { InboundTransferRepository } from '../primaries/inbound-transfer.repository.js';
import { ZoneShareRepository } from '../sharing/zone-share.repository.js';
import { ZoneWalks } from '../lists/zone-walks.js';
import { SerialRaisingService } from '../serials/serial-raising.service.js';

/** How zones are read and changed, for every feature that changes what is in them. */
@Module({
  providers: [
    ZoneRepository,
    ZoneCountRepository,
    JournalRepository,
    LastSerialRepository,
    InboundTransferRepository,
    ZoneShareRepository,
    ZoneWalks,
    ZoneChanges,
    CommitHooks,
    ZoneChangeNotifier,
    SerialRaisingService,
  ],
  exports: [
    ZoneRepository,
    ZoneCountRepository,
    JournalRepository,
    LastSerialRepository,
    InboundTransferRepository,
    ZoneShareRepository,
    ZoneWalks,
    ZoneChanges,
    CommitHooks,
    ZoneChangeNotifier,
    SerialRaisingService,
  ],
})
export class ZoneChangesModule {}
