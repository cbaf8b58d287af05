import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Statement } from '../../src/database/statements/statement.js';
import type { Transaction } from '../../src/database/transaction.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { answerOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';

const NAMES = new Statement<{ name: string }>('SELECT name FROM records WHERE zone_id = ? ORDER BY name');

let service: AssembledService;
let domain: TestDomain;

beforeAll(async () => {
  service = await assembleTestService({});
});
afterAll(() => service.stop());

const create = (label: string): Promise<unknown> =>
  answerOf(domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' }));

async function* namesTwice(tx: Transaction, between: () => Promise<unknown>): AsyncGenerator<string[]> {
  const names = async (): Promise<string[]> => (await NAMES.rows(tx, [domain.id])).map(({ name }) => name);
  yield names();
  await between();
  yield names();
}

async function streamed(between: () => Promise<unknown>): Promise<string[][]> {
  const seen: string[][] = [];
  for await (const names of service.database.reads.stream((tx) => namesTwice(tx, between))) seen.push(names);
  return seen;
}

describe('a whole-zone read on SQLite sees one snapshot', () => {
  it('taken at its start, after any earlier use of its connection', async () => {
    domain = await newDomain(service);
    await create('first');
    const first = [domain.at('first')];
    expect(await streamed(() => create('second'))).toEqual([first, first]);
    const both = [...first, domain.at('second')];
    expect(await streamed(() => create('third'))).toEqual([both, both]);
  });

  it('also after an abandoned read, and after a failed one', async () => {
    domain = await newDomain(service);
    await create('first');
    const left = service.database.reads.stream((tx) => namesTwice(tx, () => Promise.resolve()));
    await left[Symbol.asyncIterator]().next();
    await left[Symbol.asyncIterator]().return?.();
    await expect(streamed(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await create('second');
    const both = [domain.at('first'), domain.at('second')];
    expect(await streamed(() => Promise.resolve())).toEqual([both, both]);
  });

  it('and several concurrently', async () => {
    domain = await newDomain(service);
    await create('first');
    const first = [domain.at('first')];
    const outer = streamed(async () => {
      await create('second');
      const both = [...first, domain.at('second')];
      expect(await streamed(() => Promise.resolve())).toEqual([both, both]);
    });
    expect(await outer).toEqual([first, first]);
  });
});
