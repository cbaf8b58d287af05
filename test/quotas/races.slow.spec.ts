import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CounterCheckService } from '../../src/records/maintenance/counter-check.js';
import { startTestService, type TestService } from '../support/service.js';
import { times } from '../support/length.js';

const ROUNDS = times(10, 100);
/** Parallel creates in each round, and their excess over the limit. */
const CREATES = 8;
const TOO_MANY = 3;
const LIMIT = CREATES - TOO_MANY;

describe('8.3 limits under races', () => {
  let service: TestService;
  let count = 0;
  beforeAll(async () => {
    service = await startTestService({
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
    });
  });
  afterAll(() => service.stop());

  const unique = (prefix: string) => `${prefix}${(count += 1)}`;
  const give = (tenant: string, quota: Record<string, number>) =>
    service.call('patch', `/admin/quotas/${tenant}`, { quota });
  const createDomain = (tenant: string, name: string) =>
    service.as(tenant).call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
  const newDomain = async (tenant: string) => {
    const name = `${unique('zone')}.example.`;
    const { body } = await createDomain(tenant, name);
    return { name, path: `/v1/domains/${String(body.id)}/records` };
  };
  const inParallel = async (create: (index: number) => PromiseLike<{ status: number }>) => {
    const answers = await Promise.all(Array.from({ length: CREATES }, (_, index) => create(index)));
    return answers.map(({ status }) => status).sort((left, right) => left - right);
  };
  const EXPECTED = [...Array<number>(LIMIT).fill(200), ...Array<number>(TOO_MANY).fill(413)];

  const noCounterIsWrong = async () => {
    const check = service.running.application.app.get(CounterCheckService, { strict: false });
    for await (const mismatch of check.check(false)) throw new Error(JSON.stringify(mismatch));
  };

  it(`zones: exactly ${LIMIT} of ${CREATES} succeed in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tenant = unique('tenant');
      await give(tenant, { zones: LIMIT });
      expect(await inParallel(() => createDomain(tenant, `${unique('race')}.example.`))).toEqual(EXPECTED);
    }
    await noCounterIsWrong();
  });

  it.each([
    ['zone_records', (name: string, index: number) => ({ name, type: 'TXT', data: `text ${index}` })],
    ['zone_recordsets', (name: string, index: number) => ({ name: `n${index}.${name}`, type: 'A', data: '192.0.2.1' })],
    ['recordset_records', (name: string, index: number) => ({ name, type: 'A', data: `192.0.2.${index}` })],
  ])(`%s: exactly ${LIMIT} of ${CREATES} succeed in each of ${ROUNDS} rounds`, async (quota, record) => {
    const tenant = unique('tenant');
    await give(tenant, { [quota]: LIMIT });
    for (let round = 0; round < ROUNDS; round += 1) {
      const { name, path } = await newDomain(tenant);
      expect(await inParallel((index) => service.as(tenant).call('post', path, record(name, index)))).toEqual(EXPECTED);
    }
    await noCounterIsWrong();
  });

  it('changes and resets of quotas in parallel with creates and deletes leave every counter right', async () => {
    const tenant = unique('tenant');
    const { name, path } = await newDomain(tenant);
    for (let round = 0; round < times(5, 20); round += 1) {
      const answers = await Promise.all([
        give(tenant, { zone_records: round % 7, recordset_records: 5, zone_recordsets: 3 }),
        ...Array.from({ length: 6 }, (_, index) =>
          service.as(tenant).call('post', path, { name: `n${index % 3}.${name}`, type: 'TXT', data: unique('text') }),
        ),
        service.call('delete', `/admin/quotas/${tenant}`),
      ]);
      for (const { status } of answers) expect([200, 204, 413]).toContain(status);
      const { body } = await service.as(tenant).call('get', path);
      const [first] = body.records as { id: string }[];
      if (first !== undefined) await service.as(tenant).call('delete', `${path}/${first.id}`);
    }
    await noCounterIsWrong();
  });
});
