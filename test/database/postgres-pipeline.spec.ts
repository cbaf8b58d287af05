import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { bulkInsert } from '../../src/database/statements/bulk-write.js';
import { Statement } from '../../src/database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../src/database/transaction.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { queryPostgres } from '../support/postgres/databases.js';

const INSERT = bulkInsert('written', { id: 'integer' });
const COUNT = new Statement<{ readonly count: number }>('SELECT count(*)::integer AS count FROM written');

let service: AssembledService;
beforeAll(async () => {
  service = await assembleTestService({});
  queryPostgres(service.databaseFile, 'CREATE TABLE written (id integer PRIMARY KEY)');
});
beforeEach(() => {
  queryPostgres(service.databaseFile, 'TRUNCATE written');
});
afterAll(() => service.stop());

const change = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => service.database.unitOfWork.run(work);
const stored = (): unknown[] => queryPostgres(service.databaseFile, 'SELECT id FROM written');

async function writeTwice(tx: Transaction): Promise<void> {
  await INSERT.run(tx, [[1]]);
  await INSERT.run(tx, [[1]]);
}

it('a query after a write sees it', async () => {
  const counts = await change(async (tx) => {
    await INSERT.run(tx, [[1], [2]]);
    const before = await COUNT.first(tx, []);
    await INSERT.run(tx, [[3]]);
    return [before, ...(await entityManagerOf(tx).query<unknown[]>('SELECT count(*)::integer AS count FROM written'))];
  });
  expect(counts).toEqual([{ count: 2 }, { count: 3 }]);
});

const FOLLOWERS: readonly [what: string, follow: (tx: Transaction) => Promise<unknown>][] = [
  ['COMMIT', () => Promise.resolve()],
  ['a read', (tx) => COUNT.first(tx, [])],
  ['another write', (tx) => INSERT.run(tx, [[2]])],
  ['a statement of TypeORM', (tx) => entityManagerOf(tx).query('SELECT 1')],
];

it.each(FOLLOWERS)('a failed write fails its transaction, with %s after it', async (_, follow) => {
  const failing = change(async (tx) => {
    await writeTwice(tx);
    await follow(tx);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(stored()).toEqual([]);
});

it('a failure next to a write fails the transaction', async () => {
  const failing = change(async (tx) => {
    const beside = entityManagerOf(tx).query('SELECT 1 / 0');
    await Promise.allSettled([beside, INSERT.run(tx, [[1]])]);
    await beside;
  });
  await expect(failing).rejects.toMatchObject({ driverError: { code: '22012' } });
  expect(stored()).toEqual([]);
});

it('an error after a write rolls the write back and leaves the connection usable', async () => {
  const refused = change(async (tx) => {
    await INSERT.run(tx, [[1]]);
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await change((tx) => INSERT.run(tx, [[2]]));
  expect(stored()).toEqual([{ id: 2 }]);
});
