import { Module } from '@nestjs/common';
import { RecordsController } from './v1/records.controller.js';

/** The adapters of records. */
@Module({ controllers: [RecordsController] })
export class RecordsModule {}
