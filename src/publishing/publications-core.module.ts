import { type DynamicModule, Module } from '@nestjs/common';
import { PublicationRepository } from './pool/publication.repository.js';
import { PublicationsService } from './pool/publications.service.js';
import { PublishingOptions } from './publishing.options.js';

/** How far changes have come, for whoever shows it; it is known in processes that publish nothing too. */
@Module({})
export class PublicationsCoreModule {
  static register(options: PublishingOptions): DynamicModule {
    return {
      module: PublicationsCoreModule,
      global: true,
      providers: [PublicationsService, PublicationRepository, { provide: PublishingOptions, useValue: options }],
      exports: [PublicationsService, PublishingOptions],
    };
  }
}
