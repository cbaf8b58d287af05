import { Module } from '@nestjs/common';
import { DomainChanges } from './domain-changes.js';
import { DomainRepository } from './domain.repository.js';
import { JournalRepository } from './journal.repository.js';
import { SerialRaisingService } from './serial-raising.service.js';

/** How domains are read and changed, for every room that changes what is in them. */
@Module({
  providers: [DomainRepository, JournalRepository, DomainChanges, SerialRaisingService],
  exports: [DomainRepository, JournalRepository, DomainChanges],
})
export class DomainChangesModule {}
