import { type DynamicModule, Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';

@Module({})
export class MetricsModule {
  /** @param isOnApi whether the port of the API answers /metrics */
  static register(isOnApi: boolean): DynamicModule {
    return { module: MetricsModule, controllers: isOnApi ? [MetricsController] : [] };
  }
}
