import { Module } from '@nestjs/common';
import { ChangesController } from './v1/changes.controller.js';
import { RecordsController } from './v1/records.controller.js';

/** The adapters of records. */
@Module({ controllers: [RecordsController, ChangesController] })
export class RecordsModule {}
