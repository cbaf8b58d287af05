import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock, SystemClock } from '../common/clock.js';
import { DatabaseProbe } from './database-probe.js';
import type { OpenDatabase } from './open-database.js';
import { Reads } from './reads.js';
import { UnitOfWork } from './unit-of-work.js';

/** Hands the open database to all modules: reads, and the one way to write. */
@Module({})
export class DatabaseModule {
  static register(database: OpenDatabase): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...database.writer.options, retryAttempts: 0 }),
          dataSourceFactory: () => Promise.resolve(database.writer),
        }),
      ],
      providers: [
        { provide: Reads, useValue: database.reads },
        { provide: UnitOfWork, useValue: database.unitOfWork },
        { provide: DatabaseProbe, useValue: database.probe },
        { provide: Clock, useClass: SystemClock },
      ],
      exports: [Reads, UnitOfWork, DatabaseProbe, Clock],
    };
  }
}
