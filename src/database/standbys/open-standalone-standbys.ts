import { DataSource, type DataSourceOptions } from 'typeorm';
import { NoBroadcast } from '../broadcast.js';
import { DatabaseOpenError, reasonOf } from '../database-open-error.js';
import { DatabaseProbe } from '../database-probe.js';
import { tellFailure } from '../database-fault.js';
import type { OpenDatabase } from '../open-database.js';
import { NoPools } from '../postgres/connection-pools.js';
import { clientOf } from '../postgres/postgres-client.js';
import type { Reads } from '../reads.js';
import { Migrations } from '../schema/migrate.js';
import { schemaRefusal } from '../schema/schema-state.js';
import type { MigrationHistory } from '../schema/schema.js';
import { NoStagingArea } from '../statements/staging.js';
import { entityManagerOf } from '../transaction.js';
import { StandaloneReads } from './standalone-reads.js';
import { replayStateOf } from './replay-state.js';
import { Standby } from './standby.js';
import { Standbys } from './standbys.js';
import { NoUnitOfWork } from './no-unit-of-work.js';

type PostgresOptions = DataSourceOptions & { readonly type: 'postgres' };

/**
 * What a program needs of the database that reads from standbys, and of nothing else.
 * @throws DatabaseOpenError where none of them answers, or one is none
 */
export async function openStandaloneStandbys(
  servers: readonly PostgresOptions[],
  histories: readonly MigrationHistory[],
): Promise<OpenDatabase> {
  const first = await firstThatAnswers(servers);
  const standbys = new Standbys(await standbysOf(servers, first), null);
  try {
    await standbys.open();
    await assertUpToDate(first, new Migrations(histories));
  } catch (error) {
    await standbys.close();
    await first.destroy();
    throw error;
  }
  const reads = new StandaloneReads(standbys, tellFailure);
  return {
    writer: first,
    reads,
    unitOfWork: new NoUnitOfWork(),
    probe: new StandbyProbe(reads),
    pools: new NoPools(),
    staging: new NoStagingArea(),
    broadcast: new NoBroadcast(),
    standbys,
    isReadOnly: true,
    directory: null,
    files: [],
    close: async () => {
      await standbys.close();
      if (first.isInitialized) await first.destroy();
    },
  };
}

class StandbyProbe extends DatabaseProbe {
  constructor(private readonly reads: Reads) {
    super();
  }

  override async assertReady(): Promise<void> {
    await this.reads.run((tx) => entityManagerOf(tx).query('SELECT 1'));
  }
}

async function firstThatAnswers(servers: readonly PostgresOptions[]): Promise<DataSource> {
  let reason = 'it names none';
  for (const options of servers) {
    try {
      return await new DataSource({ ...options, poolSize: 1 }).initialize();
    } catch (error) {
      reason = reasonOf(error);
    }
  }
  throw new DatabaseOpenError(`cannot read from any standby of [database] read_urls: ${reason}`);
}

async function standbysOf(servers: readonly PostgresOptions[], first: DataSource): Promise<Standby[]> {
  const runner = first.createQueryRunner();
  try {
    const { database } = await replayStateOf(await clientOf(runner));
    // How far the primary is, nobody knows here.
    const wanted = { database, maxStaleness: Infinity, survivesPromotion: true };
    return servers.map((options) => new Standby(options, wanted));
  } finally {
    await runner.release();
  }
}

async function assertUpToDate(source: DataSource, migrations: Migrations): Promise<void> {
  const refusal = schemaRefusal(await migrations.stateOf(source));
  if (refusal !== null) throw new DatabaseOpenError(`cannot use the standbys of [database] read_urls: ${refusal}`);
}
