import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

interface ManagedBody {
  readonly managed_records: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: number | null;
    readonly data: string;
  }[];
}

describe('6.10 the generated records of a domain', () => {
  let service: TestService;
  let domain: TestDomain;
  beforeAll(async () => {
    service = await startTestService();
    domain = await newDomain(service);
  });
  afterAll(() => service.stop());

  const path = (id = domain.id): string => `/v1/domains/${id}/managed-records`;
  const managed = async (): Promise<ManagedBody['managed_records']> =>
    (await bodyOf<ManagedBody>(service.call('get', path()))).managed_records;

  it('6.10 are its SOA and the NS records of the service, with the serial', async () => {
    const { serial } = await bodyOf<{ serial: number }>(service.call('get', `/v1/domains/${domain.id}`));
    const [soa, ...nameServers] = await managed();
    expect(soa).toEqual({ name: domain.name, type: 'SOA', ttl: null, data: expect.stringContaining(` ${serial} `) });
    expect(nameServers.length).toBeGreaterThan(0);
    for (const one of nameServers)
      expect(one).toEqual({ name: domain.name, type: 'NS', ttl: null, data: expect.stringMatching(/\.$/) });
  });

  it('6.10 follow the settings of the domain, and leave out NS records that are stored', async () => {
    await answerOf(domain.create({ name: domain.name, type: 'NS', data: 'stored.example.net.' }));
    const settings = { name_servers: ['a.example.net.', 'b.example.net.'] };
    await answerOf(service.call('put', `/v1/domains/${domain.id}`, settings));
    const names = (await managed()).filter(({ type }) => type === 'NS').map(({ data }) => data);
    expect(names).toEqual(settings.name_servers);
  });

  it('6.10, 3.1 are those of domains that the caller may see', async () => {
    const stranger = service.as('stranger');
    await refusalOf(stranger.call('get', path()), 404, 'domain_not_found');
    await refusalOf(service.call('get', path('00000000-0000-7000-8000-000000000000')), 404, 'domain_not_found');
  });
});
