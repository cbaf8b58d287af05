import { Module } from '@nestjs/common';
import { PublicationController } from './v1/publication.controller.js';

/** The adapters of publishing. */
@Module({ controllers: [PublicationController] })
export class PublishingModule {}
