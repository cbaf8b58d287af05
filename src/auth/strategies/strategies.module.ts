import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { ModuleImport } from '../../plugins/plugin.js';
import { Strategies } from './strategies.js';
import type { Strategy } from './strategy.js';

/** Several strategies, for the authenticator that chooses among them. */
@Module({})
export class StrategiesModule {
  /** @param imports what the strategies need */
  static register(classes: readonly Type<Strategy>[], imports: readonly ModuleImport[]): DynamicModule {
    const all = {
      provide: Strategies,
      useFactory: (...all: Strategy[]): Strategies => ({ all }),
      inject: [...classes],
    };
    return { module: StrategiesModule, imports: [...imports], providers: [...classes, all], exports: [Strategies] };
  }
}
