import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { executeIn } from '../support/stored.js';

describe('24.1 a service without ALIAS', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('24.1 refuses ALIAS records', async () => {
    const domain = await newDomain(service);
    await refusalOf(domain.create({ name: domain.name, type: 'ALIAS', data: 'x.example.net.' }), 400, 'invalid_object');
  });

  it('24.8 imports the addresses of a file alone', async () => {
    const domain = await newDomain(service);
    const apex = domain.name;
    await domain.import(`;${apex}\t300\tIN\tALIAS\tlb.example.net.\n${apex}\t300\tIN\tA\t192.0.2.1\n`);
    expect((await domain.records()).map(({ type, data }) => [type, data])).toEqual([['A', '192.0.2.1']]);
    audit(service.databaseFile);
  });

  it('24.1 keeps stored ALIAS records, and lets them be deleted', async () => {
    const domain = await newDomain(service);
    const { id } = await domain.newRecord({ name: domain.name, type: 'NAPTR', data: '1 1 "" "" "" lb.example.net.' });
    for (const table of ['records', 'record_sets'])
      executeIn(service.databaseFile, `UPDATE ${table} SET type = 'ALIAS' WHERE zone_id = '${domain.id}'`);
    executeIn(
      service.databaseFile,
      `UPDATE records SET data = 'lb.example.net.', rdata = '026c62076578616d706c65036e657400' WHERE id = '${id}'`,
    );
    expect(await domain.export()).toContain(`;${domain.name}\t3600\tIN\tALIAS\tlb.example.net.\n`);
    await domain.delete(id).expect(200);
    expect(await domain.records()).toEqual([]);
  });
});
