import { DataSource, type DataSourceOptions } from 'typeorm';
import { NoBroadcast } from '../broadcast.js';
import { DatabaseOpenError, reasonOf, tellFailure, unavailable } from '../database-failure.js';
import { DatabaseProbe } from '../database-probe.js';
import type { OpenDatabase } from '../open-database.js';
import { NoPools } from '../postgres/connection-pools.js';
import { clientOf } from '../postgres/postgres-client.js';
import { Reads } from '../reads.js';
import { Migrations } from '../schema/migrate.js';
import { schemaRefusal } from '../schema/schema-state.js';
import type { MigrationHistory } from '../schema/schema.js';
import { NoStagingArea } from '../statements/staging.js';
import { entityManagerOf, type Transaction } from '../transaction.js';
import { replayStateOf } from './position.js';
import { Standby } from './standby.js';
import { Standbys } from './standbys.js';
import type { Explain } from '../schema-watch.js';
import type { Lookup } from '../statements/lookup.js';
import type { SqlValue } from '../transaction.js';
import { StandbyReads } from './standby-reads.js';
import { UnitOfWork } from '../unit-of-work.js';

type PostgresOptions = DataSourceOptions & { readonly type: 'postgres' };

/** @throws DatabaseOpenError if none answers, or a server is not a standby */
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

/** Returns the data of standbys as it is. */
class StandaloneReads extends StandbyReads {
  constructor(standbys: Standbys, explain: Explain) {
    const position = { isAway: true, ask: () => Promise.resolve(null) };
    super(new NoReads(), position, standbys, { maxStaleness: 0, explain });
  }

  override run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.isInScope ? super.run(work) : this.fromAny(() => super.run(work));
  }

  override lookUp<Row>(lookup: Lookup<Row>, key: readonly SqlValue[]): Promise<Row | undefined> {
    return this.run((tx) => lookup.first(tx, key));
  }

  override offPrimary<T>(work: () => Promise<T>): Promise<T> {
    return this.fromAny(work);
  }
}

/** Fallback when no standby answers. */
class NoReads extends Reads {
  override run(): Promise<never> {
    return Promise.reject(unavailable(new Error('no standby of [database] read_urls answers')));
  }

  override stream(): AsyncIterable<never> {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.run() }) };
  }
}

/** Refuses every change, and refers the caller to another server. */
class NoUnitOfWork extends UnitOfWork {
  override run(): Promise<never> {
    return refused();
  }

  override runInBatch(): Promise<never> {
    return refused();
  }

  override drained(): Promise<void> {
    return Promise.resolve();
  }

  override get waiting(): number {
    return 0;
  }
}

function refused(): Promise<never> {
  return Promise.reject(
    unavailable(new Error('this program reads from standbys and changes nothing (mdns --standby)')),
  );
}
