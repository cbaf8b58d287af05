import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Lookup } from '../../src/database/statements/lookup.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { tripsDuring } from '../support/postgres/round-trips.js';

const BY_NAME = new Lookup<Row>('SELECT name, octets FROM looked_up WHERE name = ?', ['text']);
const BY_OCTETS = new Lookup<Row>('SELECT name, octets FROM looked_up WHERE octets = ?', ['bigint']);
const AT_ONCE = 40;

interface Row {
  readonly name: string;
  readonly octets: number;
}

let service: AssembledService;
beforeAll(async () => {
  service = await assembleTestService({});
  queryPostgres(service.databaseFile, 'CREATE TABLE looked_up (name text PRIMARY KEY, octets bigint UNIQUE)');
  queryPostgres(service.databaseFile, `INSERT INTO looked_up SELECT 'n' || n, n FROM generate_series(0, 99) n`);
});
afterAll(() => service.stop());

const row = (at: number): Row => ({ name: `n${String(at)}`, octets: at });
const byName = (name: string): Promise<Row | undefined> => service.database.reads.lookUp(BY_NAME, [name]);
const byOctets = (octets: number): Promise<Row | undefined> => service.database.reads.lookUp(BY_OCTETS, [octets]);
const all = (work: (at: number) => unknown): Promise<unknown[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, at) => work(at)));

it('concurrent lookups return the rows of each caller', async () => {
  expect(await all((at) => (at % 2 === 0 ? byName(`n${String(at)}`) : byOctets(at)))).toEqual(await all(row));
  expect(await Promise.all([byName('none'), byName('n1'), byName('n1')])).toEqual([undefined, row(1), row(1)]);
});

it('a change of a row that several callers looked up is visible to one of them only', async () => {
  const rows = await Promise.all([byName('n1'), byName('n1')]);
  expect(rows[0]).not.toBe(rows[1]);
});

it('a key that the database does not take is refused to the one that has it', async () => {
  const answers = await Promise.allSettled([byName('n1'), byName('a\0b'), byOctets(2)]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('concurrent lookups share one round trip', async () => {
  const trips = () => tripsDuring(() => all((at) => byName(`n${String(at)}`)));
  // Background tasks may read meanwhile.
  let fewest = await trips();
  for (let tries = 1; fewest.length > 1 && tries < 10; tries += 1) fewest = await trips();
  expect(fewest).toEqual([[['SELECT']]]);
});
