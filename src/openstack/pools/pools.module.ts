import { type DynamicModule, Module } from '@nestjs/common';
import { PoolRepository } from './pool.repository.js';
import { PoolsOptions } from './pools.options.js';
import { PoolsService } from './pools.service.js';
import { PoolsController } from './v2/pools.controller.js';

@Module({})
export class PoolsModule {
  static register(options: PoolsOptions): DynamicModule {
    return {
      module: PoolsModule,
      controllers: [PoolsController],
      providers: [PoolRepository, PoolsService, { provide: PoolsOptions, useValue: options }],
    };
  }
}
