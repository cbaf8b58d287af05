import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService({ DATABASE__URL: 'sqlite::memory:' });
  domain = await newDomain(service);
});
afterAll(() => service.stop());

/** One connection for reads and changes: no read may see half of a change, nor hold up another. */
describe('a database in memory', () => {
  it('6.1, 6.2, 6.3 and 6.4 keeps the rules of one in a file', async () => {
    const record = { name: domain.at('www'), type: 'A', data: '192.0.2.1' };
    const created = await bodyOf(domain.create(record));
    await refusalOf(domain.create(record), 409, 'duplicate_record');
    await refusalOf(domain.create({ ...record, data: '' }), 400, 'invalid_object');
    expect(await bodyOf(domain.get(created.id))).toEqual(created);
    await bodyOf(domain.update(created.id, { ttl: 60 }));
    await answerOf(domain.delete(created.id));
    await refusalOf(domain.get(created.id), 404, 'record_not_found');
    expect(await domain.records()).toEqual([]);
  });

  it('6.4 answers reads and changes that come together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const { id } = await bodyOf(domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' }));
        const [read, list] = await Promise.all([domain.get(id), domain.list('?type=A')]);
        return { status: read.status, isListed: list.body.records.some((record: { id: string }) => record.id === id) };
      }),
    );
    expect(answers).toEqual(answers.map(() => ({ status: 200, isListed: true })));
    expect(await domain.records()).toHaveLength(200);
  });
});
