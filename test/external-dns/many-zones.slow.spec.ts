import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { ExternalDns, WITH_EXTERNAL_DNS } from './client.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ ...WITH_EXTERNAL_DNS, DEFAULT__QUOTA_ZONES: '2000' });
});
afterAll(() => service.stop());

describe('a tenant with many zones', () => {
  it('25.3 has no domain filter above 1,000 zones', async () => {
    const dns = new ExternalDns(service, { 'X-Auth-Project-ID': 'tenant-a' });
    const filter = async (): Promise<{ include?: string[] }> => JSON.parse((await dns.get()).text) as object;
    for (let made = 0; made < 1000; made += 50) await Promise.all(Array.from({ length: 50 }, () => newDomain(service)));
    expect((await filter()).include).toHaveLength(1000);
    await newDomain(service);
    expect(await filter()).toEqual({});
  });
});
