import { Module } from '@nestjs/common';
import { ChangeEntries } from './change-entries.repository.js';
import { PlaceRepository } from './place.repository.js';

/** The journal as listeners get it, and how far they have come, for every program. */
@Module({ providers: [ChangeEntries, PlaceRepository], exports: [ChangeEntries, PlaceRepository] })
export class ChangeListenersCoreModule {}
