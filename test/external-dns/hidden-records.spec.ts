import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AliasService, startAliasService } from '../support/alias-service.js';
import { expectStatus } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { PowerDnsClient, WITH_POWERDNS } from '../support/powerdns.js';
import { endpoint, ExternalDns, WITH_EXTERNAL_DNS } from './client.js';

let service: AliasService;
let dns: ExternalDns;

beforeAll(async () => {
  service = await startAliasService({ ...WITH_POWERDNS, ...WITH_EXTERNAL_DNS });
  dns = new ExternalDns(service, { 'X-Auth-Project-ID': 'tenant-a' });
});
afterAll(() => service.stop());

describe('records that external-dns does not see', () => {
  it('25.4 are ALIAS records and their addresses, which it cannot replace', async () => {
    const { domain } = await service.following(['192.0.2.10']);
    expect((await dns.records()).filter(({ dnsName }) => domain.name === `${dnsName}.`)).toEqual([]);
    const apex = { dnsName: domain.name.slice(0, -1), recordType: 'A', targets: ['192.0.2.1'] };
    const refused = await dns.apply({ create: [apex] });
    expectStatus(refused, 400);
    expect(refused.text).toContain('ALIAS');
  });

  it('25.4 are disabled records, which stay', async () => {
    const { name } = await newDomain(service);
    const powerdns = new PowerDnsClient(service);
    const set = { name: `www.${name}`, type: 'A', ttl: 60, changetype: 'REPLACE' };
    const records = [
      { content: '192.0.2.1', disabled: false },
      { content: '192.0.2.2', disabled: true },
    ];
    await powerdns.answer('patch', `/zones/${name}`, { rrsets: [{ ...set, records }] }, 204);
    const shown = endpoint(name, 'www A 192.0.2.1', { recordTTL: 60 });
    expect((await dns.records()).filter(({ dnsName }) => dnsName === shown.dnsName)).toEqual([shown]);
    await dns.applied({ delete: [shown] });
    expect((await dns.records()).filter(({ dnsName }) => dnsName === shown.dnsName)).toEqual([]);
    const { text } = await powerdns.answer('get', `/zones/${name}`);
    expect(text).toContain('"content":"192.0.2.2","disabled":true');
  });
});

describe('limits', () => {
  it('25.2 answers 503 for too many requests, since external-dns ends after 429', async () => {
    const limited = await startAliasService({
      ...WITH_EXTERNAL_DNS,
      RATE_LIMITS__REQUESTS_PER_ADDRESS: '2',
      RATE_LIMITS__EXEMPT: '',
    });
    try {
      const client = new ExternalDns(limited, { 'X-Auth-Project-ID': 'tenant-a' });
      const statuses: number[] = [];
      for (let times = 0; times < 4; times += 1) statuses.push((await client.get()).status);
      expect(statuses.at(-1)).toBe(503);
      expect((await client.get()).headers).toHaveProperty('retry-after');
    } finally {
      await limited.stop();
    }
  });
});
