import { Module } from '@nestjs/common';
import { VersionsController } from './versions.controller.js';

@Module({ controllers: [VersionsController] })
export class VersionsModule {}
