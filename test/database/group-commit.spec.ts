import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { entityManagerOf, type Transaction } from '../../src/database/transaction.js';
import { ServiceError } from '../../src/common/service-error.js';

import { TokenEntity } from '../../src/auth/tokens/token.entity.js';
import { type AssembledService, assembleTestService } from '../support/assembled-service.js';

let service: AssembledService;
beforeAll(async () => {
  service = await assembleTestService({});
});
afterAll(() => service.stop());
beforeEach(() => service.database.writer.manager.clear(TokenEntity));

/** Concurrent changes share a commit; on PostgreSQL, those of one domain do too. */
const together = { zoneId: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' };
const run = (work: (tx: Transaction) => Promise<unknown>, scope = {}): Promise<unknown> =>
  service.database.unitOfWork.run(work, { ...together, ...scope });

/** Any row will do; a token's needs no other. */
const write = async (tx: Transaction, id: string): Promise<void> => {
  await entityManagerOf(tx).insert(TokenEntity, { id, hash: id, tenantId: 'acme', roles: 'member', createdAt: 1 });
};
const written = async (): Promise<string[]> =>
  (await service.database.writer.manager.find(TokenEntity)).map(({ id }) => id).sort();

const refusal = new ServiceError('change_not_allowed', 'no');

describe('changes that share a commit', () => {
  const neighbours = (): Promise<unknown>[] => ['a', 'b'].map((id) => run((tx) => write(tx, id)));

  it.each([
    ['is refused before it writes', () => Promise.reject(refusal), refusal],
    [
      'is refused after it has written',
      (tx: Transaction) => write(tx, 'x').then(() => Promise.reject(refusal)),
      refusal,
    ],
    [
      'breaks after it has written',
      (tx: Transaction) => write(tx, 'x').then(() => Promise.reject(new Error('broken'))),
      new Error('broken'),
    ],
    ['breaks a constraint', (tx: Transaction) => write(tx, 'a'), new Error('broken')],
  ])('are all stored when one of them %s', async (_, work, error) => {
    const [first, second] = neighbours();
    const failing = run(work);
    const third = run((tx) => write(tx, 'c'));
    const outcomes = await Promise.allSettled([first, second, failing, third]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    if (error === refusal) await expect(failing).rejects.toBe(refusal);
    expect(await written()).toEqual(['a', 'b', 'c']);
  });

  it('begin anew without a long one, which has a commit to itself', async () => {
    let runs = 0;
    const long = run(
      async (tx) => {
        runs += 1;
        await write(tx, 'long');
      },
      { isLong: true },
    );
    const refused = run((tx) => write(tx, 'x').then(() => Promise.reject(refusal)));
    await Promise.allSettled([...neighbours(), long, refused]);
    expect(runs).toBe(1);
    expect(await written()).toEqual(['a', 'b', 'long']);
  });
});
