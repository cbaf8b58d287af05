import { executeIn } from './stored.js';

const LAST = 'ExpandSoaTtl1764120000000';
const COUNT = 54;

/**
 * Makes the migrations table of an up-to-date database that of a commit before 1.0.0, which had the same tables.
 * @param run the number of its migrations: 54 in the last of these commits
 */
export function makePreRelease(database: string, run = COUNT): void {
  const names = Array.from({ length: COUNT - 1 }, (_, at) => `Former${1_763_600_000_000 + at}`);
  const rows = [...names, LAST].slice(0, run).map((name) => `(${name.slice(-13)}, '${name}')`);
  executeIn(database, `DELETE FROM migrations; INSERT INTO migrations ("timestamp", name) VALUES ${rows.join(', ')}`);
}
