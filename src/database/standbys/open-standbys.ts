import type { DataSource, DataSourceOptions } from 'typeorm';
import { clientOf } from '../postgres/postgres-client.js';
import type { Reads } from '../reads.js';
import type { Explain } from '../schema-watch.js';
import { PrimaryPosition, replayStateOf } from './position.js';
import { Standby } from './standby.js';
import { StandbyReads } from './standby-reads.js';
import { Standbys } from './standbys.js';

export interface StandbyOptions {
  readonly servers: readonly (DataSourceOptions & { readonly type: 'postgres' })[];
  /** In milliseconds. */
  readonly maxStaleness: number;
  /** Otherwise, a permanently unreadable standby is ignored. */
  readonly refusesOthers: boolean;
}

export interface Primary {
  readonly source: DataSource;
  readonly reads: Reads;
  readonly explain: Explain;
}

/** @throws DatabaseOpenError if a server is no standby of this primary */
export async function openStandbys(
  { servers, maxStaleness, refusesOthers }: StandbyOptions,
  { source, reads, explain }: Primary,
): Promise<{ readonly reads: Reads; readonly standbys: Standbys }> {
  const database = await databaseOf(source);
  const position = new PrimaryPosition(reads);
  const standbys = new Standbys(
    servers.map((options) => new Standby(options, { database, maxStaleness, survivesPromotion: false })),
    position,
  );
  try {
    await (refusesOthers ? standbys.open() : standbys.look());
  } catch (error) {
    await standbys.close();
    throw error;
  }
  return { reads: new StandbyReads(reads, position, standbys, { maxStaleness, explain }), standbys };
}

async function databaseOf(source: DataSource): Promise<string> {
  const runner = source.createQueryRunner();
  try {
    return (await replayStateOf(await clientOf(runner))).database;
  } finally {
    await runner.release();
  }
}
