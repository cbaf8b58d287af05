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

@Module({})
export class DatabaseModule {
  /** @param spoolDirectory `null`: next to the database, or the system's temporary directory */
  static register(database: OpenDatabase, spoolDirectory: string | null): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          // Nest warns about equal names in one process, such as a test.
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

/** Nest's module closes its data source too early for SQLite. On PostgreSQL, this ends the wait for a silent server. */
function leftOpen(writer: DataSource): DataSource {
  if (writer.options.type === 'postgres') return writer;
  return Object.create(writer, { destroy: { value: () => Promise.resolve() } }) as DataSource;
}
