import { Module } from '@nestjs/common';
import { ChangeEntries } from './change-entries.repository.js';
import { ListenerPositionRepository } from './listener-position.repository.js';

/** The journal as listeners get it, and how far they have come, for every program. */
@Module({
  providers: [ChangeEntries, ListenerPositionRepository],
  exports: [ChangeEntries, ListenerPositionRepository],
})
export class ChangeListenersCoreModule {}
