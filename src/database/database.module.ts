import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock, SystemClock } from '../common/clock.js';
import { AuditTrail } from './audit/audit-trail.js';
import { Broadcast } from './broadcast.js';
import { ConnectionPools } from './postgres/connection-pools.js';
import { DatabaseProbe } from './database-probe.js';
import type { OpenDatabase } from './open-database.js';
import { Reads } from './reads.js';
import { Spool } from './render-cache/spool.js';
import { Standbys } from './standbys/standbys.js';
import { StagingArea } from './statements/staging.js';
import { UnitOfWork } from './unit-of-work.js';

/** Hands the open database to all modules: reads, a place for what was read, and the one way to write. */
@Module({})
export class DatabaseModule {
  /** @param spoolDirectory `null`: beside the database, or where the system keeps temporary files */
  static register(database: OpenDatabase, spoolDirectory: string | null): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          // Nobody asks for it by name, and Nest warns of two services in one process, such as a test, whose names are the same.
          name: randomUUID(),
          useFactory: () => ({ ...database.writer.options, retryAttempts: 0 }),
          dataSourceFactory: () => Promise.resolve(leftOpen(database.writer)),
        }),
      ],
      providers: [
        { provide: Reads, useValue: database.reads },
        { provide: UnitOfWork, useValue: database.unitOfWork },
        { provide: DatabaseProbe, useValue: database.probe },
        { provide: ConnectionPools, useValue: database.pools },
        { provide: Broadcast, useValue: database.broadcast },
        { provide: Standbys, useValue: database.standbys },
        { provide: StagingArea, useValue: database.staging },
        { provide: Spool, useValue: new Spool(spoolDirectory ?? database.directory ?? tmpdir()) },
        { provide: Clock, useClass: SystemClock },
        AuditTrail,
      ],
      exports: [
        AuditTrail,
        Broadcast,
        Reads,
        Standbys,
        Spool,
        UnitOfWork,
        ConnectionPools,
        DatabaseProbe,
        StagingArea,
        Clock,
      ],
    };
  }
}

/**
 * Nest's TypeORM module closes its data source on its way down, when SQLite may still be written to. With PostgreSQL that
 * is what ends the wait for a server that is silent.
 */
function leftOpen(writer: DataSource): DataSource {
  if (writer.options.type === 'postgres') return writer;
  // An object that differs from the data source in one method is one.
  return Object.create(writer, { destroy: { value: () => Promise.resolve() } }) as DataSource;
}
