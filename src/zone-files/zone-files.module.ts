import { Module } from '@nestjs/common';
import { ZoneFilesController } from './v1/zone-files.controller.js';

/** The adapters of zone files. */
@Module({ controllers: [ZoneFilesController] })
export class ZoneFilesModule {}
