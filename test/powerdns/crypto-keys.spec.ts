import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { PowerDnsClient, type PowerDnsZone, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let service: TestService;
let client: PowerDnsClient;

beforeAll(async () => {
  service = await startTestService({
    ...WITH_POWERDNS,
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.',
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    ...DNSSEC_ON,
  });
  client = new PowerDnsClient(service);
});
afterAll(() => service.stop());

interface KeyBody {
  readonly id: number;
  readonly ds: readonly string[];
}

const isSigned = async ({ id }: PowerDnsZone): Promise<boolean> =>
  (await client.json<{ dnssec: boolean }>('get', `/zones/${id}`)).dnssec;

/** As version 1 shows it. */
async function dnssecOf({ name }: PowerDnsZone): Promise<{ published_serial: number | null }> {
  const { domains } = await bodyOf<{ domains: { id: string }[] }>(service.call('get', `/v1/domains?name=${name}`));
  return bodyOf(service.call('get', `/v1/domains/${domains[0]?.id ?? ''}/dnssec`));
}

async function publishedSerialOf(zone: PowerDnsZone): Promise<number | null> {
  return (await dnssecOf(zone)).published_serial;
}

const FIRST = { keytype: 'ksk', active: true };

it('21.11 the first key has a zone signed, and its end ends that', async () => {
  const zone = await client.newZone();
  const keys = `/zones/${zone.id}/cryptokeys`;
  expect(await client.json('get', keys)).toEqual([]);
  const made = await client.json<KeyBody>('post', keys, { ...FIRST, algorithm: 'ED25519' }, 201);
  expect(made).toEqual({
    ...{
      active: true,
      algorithm: 'ED25519',
      bits: 256,
      flags: 257,
      keytype: 'csk',
      published: true,
      type: 'Cryptokey',
    },
    id: expect.any(Number),
    dnskey: expect.stringMatching(/^257 3 15 \S+$/),
    ds: [expect.stringMatching(/^\d+ 15 2 [0-9a-f]{64}$/), expect.stringMatching(/^\d+ 15 4 [0-9a-f]{96}$/)],
  });
  expect(Object.keys(made)).toEqual(Object.keys(made).toSorted());
  expect(await client.json('get', keys)).toEqual([made]);
  expect(await client.json('get', `${keys}/${made.id}`)).toEqual(made);
  await until(() => isSigned(zone));
  const shown = { dnssec: true, edited_serial: await publishedSerialOf(zone) };
  expect(await client.zone(zone.id)).toMatchObject(shown);
  expect(await client.json('get', `/zones?zone=${zone.name}`)).toMatchObject([shown]);
  expect(await client.json('get', '/zones')).toContainEqual(expect.objectContaining({ id: zone.id, ...shown }));
  await client.answer('put', `${keys}/${made.id}`, { active: true, published: true }, 204);
  expect(await client.refusal('put', `${keys}/${made.id}`, { active: false })).toContain('rollover');
  expect(await client.refusal('post', keys, FIRST)).toContain('rollover');
  await client.answer('delete', `${keys}/${made.id}`, undefined, 204);
  expect(await client.json('get', keys)).toEqual([]);
  expect(await isSigned(zone)).toBe(false);
});

it('21.4 the dnssec field signs a zone at creation and later, and unsigns it', async () => {
  const zone = await client.newZone({ dnssec: true });
  await until(() => isSigned(zone));
  await client.answer('put', `/zones/${zone.id}`, { account: 'x' }, 204);
  expect(await isSigned(zone)).toBe(true);
  await client.answer('put', `/zones/${zone.id}`, { dnssec: false }, 204);
  expect(await isSigned(zone)).toBe(false);
  await client.answer('put', `/zones/${zone.id}`, { dnssec: true }, 204);
  await until(() => isSigned(zone));
  expect(await dnssecOf(zone)).toMatchObject({ enabled: true });
});

it('21.4 a zone that is not to be signed any more before it is, is not', async () => {
  const zone = await client.newZone({ dnssec: true });
  await client.answer('put', `/zones/${zone.id}`, { dnssec: false }, 204);
  expect(await dnssecOf(zone)).toMatchObject({ enabled: false });
});

it.each([
  ['a secondary zone', { kind: 'Slave', masters: ['192.0.2.1'] }, 'masters'],
  [
    'a zone with CDS records of its own',
    { rrsets: [replaced('refused.example.org.', 'CDS', ['0 0 0 00'])] },
    'CDS records of its own',
  ],
])('21.4 does not make %s signed', async (_, fields, words) => {
  const body = { name: 'refused.example.org.', kind: 'Native', nameservers: [], dnssec: true, ...fields };
  const answer = await client.call('post', '/zones', body);
  expect([409, 422]).toContain(answer.status);
  expect((answer.body as { error: string }).error).toContain(words);
  expect(await client.json('get', '/zones?zone=refused.example.org.')).toEqual([]);
});

it.each([
  ['no keytype', { active: true }, 'keytype'],
  ['a zsk', { keytype: 'zsk', active: true }, 'csk'],
  ['a key that does not sign', { keytype: 'csk' }, 'active'],
  ['an unknown algorithm', { ...FIRST, algorithm: 'RSAMD5' }, 'algorithm'],
  ['the number of an unknown algorithm', { ...FIRST, algorithm: 5 }, 'algorithm'],
  ['an algorithm that is none', { ...FIRST, algorithm: {} }, 'algorithm'],
  ['a private key', { ...FIRST, content: 'Private-key-format: v1.2' }, 'other signers'],
])('21.11 refuses %s, and signs nothing', async (_, body, words) => {
  const zone = await client.newZone();
  expect(await client.refusal('post', `/zones/${zone.id}/cryptokeys`, body)).toContain(words);
  expect(await client.json('get', `/zones/${zone.id}/cryptokeys`)).toEqual([]);
});

it('21.11 rejects keys of another tenant, and unknown keys', async () => {
  const zone = await client.newZone();
  const { id } = await client.json<KeyBody>('post', `/zones/${zone.id}/cryptokeys`, FIRST, 201);
  const other = new PowerDnsClient(service, 'tenant-b');
  for (const method of ['get', 'put', 'delete'] as const) {
    await other.refusal(method, `/zones/${zone.id}/cryptokeys/${id}`, method === 'put' ? {} : undefined, 404);
    await client.refusal(method, `/zones/${zone.id}/cryptokeys/none`, method === 'put' ? {} : undefined, 404);
  }
  await other.refusal('post', `/zones/${zone.id}/cryptokeys`, FIRST, 404);
  expect(await client.json('get', `/zones/${zone.id}/cryptokeys`)).toHaveLength(1);
});
