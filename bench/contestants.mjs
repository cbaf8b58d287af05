import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { cores } from './processes.mjs';
import { startDatabaseFloor, startFloor } from './servers/floors.mjs';
import { zonewrightContestant } from './servers/zonewright.mjs';

/** Everybody who can take part, by name; what is not chosen is not started. */
export async function startContestants(directory, isChosen) {
  const home = async (name) => {
    const made = path.join(directory, name);
    await mkdir(made);
    return made;
  };
  const starters = [
    ['node:http', (name) => startFloor(name, 'node-http.mjs')],
    ['Express', (name) => startFloor(name, 'express.mjs')],
    ['Nest', (name) => startFloor(name, 'nest.mjs')],
    ['node:http with the database', async (name) => startDatabaseFloor(name, await home('floor'))],
    [
      'Zonewright, SQLite',
      async (name) => {
        const databaseUrl = 'sqlite:bench.sqlite';
        return zonewrightContestant({ name, directory: await home('sqlite'), databaseUrl, core: cores.server });
      },
    ],
  ];
  const contestants = [];
  for (const [name, start] of starters) {
    if (!isChosen(name)) continue;
    process.stderr.write(`starting ${name}\n`);
    contestants.push(await start(name));
  }
  return contestants;
}
