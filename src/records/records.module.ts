import { Module } from '@nestjs/common';
import { RecordExpiry } from './upkeep/record-expiry.js';
import { RecordSetCreatorsCleanup } from './upkeep/record-set-creators-cleanup.js';
import { ChangesController } from './v1/changes.controller.js';
import { RecordsController } from './v1/records.controller.js';
import { AllRecordSetsController } from './v2/all-record-sets.controller.js';
import { RecordSetAnswers } from './v2/record-set-answers.js';
import { RecordSetUpdates } from './v2/record-set-updates.js';
import { RecordSetsController } from './v2/record-sets.controller.js';

/** The adapter of records for version 1, and their upkeep. */
@Module({
  controllers: [RecordsController, ChangesController],
  providers: [RecordExpiry, RecordSetCreatorsCleanup],
})
export class RecordsModule {}

/** The adapter of record sets for version 2. */
@Module({
  controllers: [RecordSetsController, AllRecordSetsController],
  providers: [RecordSetAnswers, RecordSetUpdates],
})
export class RecordsV2Module {}
