import { Module } from '@nestjs/common';
import { ZoneChanges } from './zone-changes.js';
import { ZoneRepository } from './zone.repository.js';
import { JournalRepository } from './journal.repository.js';
import { SerialRaisingService } from './serial-raising.service.js';

/** How zones are read and changed, for every feature that changes what is in them. */
@Module({
  providers: [ZoneRepository, JournalRepository, ZoneChanges, SerialRaisingService],
  exports: [ZoneRepository, JournalRepository, ZoneChanges],
})
export class ZoneChangesModule {}
