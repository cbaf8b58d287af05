import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

interface Look {
  readonly zone: string | null;
  readonly hosted: boolean;
  readonly ds: string[] | null;
  readonly ds_ttl: number | null;
  readonly servers: readonly { name: string; ds: string[] | null; ns: string[] | null; error: string | null }[];
  readonly problem: string | null;
}

const DS = '60485 13 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a';

describe('23.16 a look at the parent', () => {
  let service: TokenService;
  let member: TokenClient;
  beforeAll(async () => {
    service = await startTokenService({
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      ...DNSSEC_ON,
    });
    member = await service.newToken();
  });
  afterAll(() => service.stop());

  const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec/parent`;
  const look = (domain: TestDomain): Promise<Look> => bodyOf<Look>(member.call('get', pathOf(domain)));

  it('23.16 shows the delegation and the DS of an unsigned domain, and changes neither', async () => {
    const parent = await newDomain(member, freshName(), { ttl: 600 });
    const child = await newDomain(member, `child.${parent.name}`);
    expect(await look(child)).toMatchObject({
      ...{ zone: parent.name, hosted: true, ds: [], ds_ttl: null, problem: null },
      servers: [{ ns: [], ds: [], error: null }],
    });
    await parent.newRecord({ name: child.name, type: 'NS', data: 'NS1.old-provider.example.' });
    await parent.newRecord({ name: child.name, type: 'DS', data: DS });
    const serial = (await parent.now()).serial;
    const seen = await look(child);
    expect(seen).toMatchObject({ ds_ttl: 600, servers: [{ ns: ['ns1.old-provider.example.'], error: null }] });
    expect(seen.ds?.map((ds) => ds.toLowerCase())).toEqual([DS]);
    expect((await parent.now()).serial).toBe(serial);
  });

  it('23.16 says why a parent cannot be looked at', async () => {
    const domain = await newDomain(member);
    expect(await look(domain)).toMatchObject({
      ...{ zone: null, ds: null, servers: [] },
      problem: 'no resolver is configured to observe the parent zone',
    });
  });

  it('23.16 is for those who can read the domain', async () => {
    const domain = await newDomain(member);
    const stranger = await service.newToken({ tenantId: 'other' });
    expectRefusal(await stranger.call('get', pathOf(domain)), { status: 404, type: 'domain_not_found' });
    await answerOf(member.call('get', pathOf(domain)));
  });
});
