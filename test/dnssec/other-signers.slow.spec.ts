import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { signingAlgorithm } from '../../src/dns/dnssec/algorithms.js';
import { dnskeyRdata, keyTag, SECURE_ENTRY_POINT, ZONE_KEY } from '../../src/dns/dnssec/dnskey.js';
import { CDNSKEY } from '../../src/dns/rdata/dnssec.js';
import { SignedZoneCheck } from '../../src/dnssec/signed-zone-check.js';
import { answerOf, bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import type { RecordBody } from '../support/bodies.js';
import { DnssecInTime, dnssecPath, type ShownDnssec } from '../support/dnssec-in-time.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { SteppedClock } from '../support/stepped-clock.js';
import { until } from '../support/until.js';

jest.setTimeout(240_000);

const NAME_SERVER = 'ns1.example.net.';
const TTL = 600;
const SECOND = 1_000_000;
const HOUR = 3600;

interface Shown extends ShownDnssec {
  readonly keys: readonly {
    readonly tag: number;
    readonly signer: string | null;
    readonly published: boolean;
    readonly signs_keys: boolean;
    readonly signs_zone: boolean;
  }[];
  readonly rollover: {
    readonly id: string;
    readonly key: string;
    readonly signer: string | null;
    readonly step: string;
  } | null;
}

const clock = new SteppedClock();
let service: AssembledService;
let time: DnssecInTime;

beforeAll(async () => {
  const settings = {
    SERVICE_CENTRAL__NAME_SERVERS: NAME_SERVER,
    SERVICE_CENTRAL__SOA_MINIMUM: '1',
    SERVICE_POWERDNS__ENABLED: 'True',
  };
  service = await assembleSigningService(settings, clock);
  time = new DnssecInTime(service, clock);
});
afterAll(() => service.stop());

const shown = (domain: TestDomain): Promise<Shown> => bodyOf<Shown>(service.call('get', dnssecPath(domain)));
const roll = (domain: TestDomain, body: object) => service.call('post', `${dnssecPath(domain)}/rollovers`, body);
const join = (domain: TestDomain, dnskeys: readonly string[], signer = 'other') =>
  roll(domain, { key: 'join', signer, dnskeys });

interface ForeignKey {
  readonly tag: number;
  /** DNSKEY data. */
  readonly text: string;
}

/** A new key of another signer, with ECDSAP256SHA256 unless it is of Ed25519. */
function foreignKey(flags = ZONE_KEY, { isEd25519 = false } = {}): ForeignKey {
  const { privateKey } = isEd25519
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = isEd25519 ? 15 : 13;
  const dnskey = dnskeyRdata({ flags, algorithm, publicField: signingAlgorithm(algorithm).publicField(privateKey) });
  return { tag: keyTag(dnskey), text: CDNSKEY.toText(dnskey) };
}

/** The KSK and the ZSK of another signer. */
function foreignKeys(): readonly [ForeignKey, ForeignKey] {
  return [foreignKey(SECURE_ENTRY_POINT), foreignKey()];
}

interface Family {
  readonly parent: TestDomain;
  readonly child: TestDomain;
}

/** A secure domain in a parent of this service. */
async function family(wish: object = {}): Promise<Family> {
  const parent = await newDomain(service, freshName(), { ttl: TTL });
  const child = await newDomain(service, `child.${parent.name}`, { ttl: TTL });
  await parent.newRecord({ name: child.name, type: 'NS', data: NAME_SERVER });
  await child.newRecord({ name: child.at('www') });
  await answerOf(service.call('put', dnssecPath(child), { enabled: true, ...wish }));
  await time.reach(child, ({ state }) => state === 'secure');
  return { parent, child };
}

async function dsTagsIn({ parent, child }: Family): Promise<number[]> {
  const { body } = await answerOf(parent.list(`?type=DS&name=${child.name}`));
  return (body as { records: RecordBody[] }).records.map(({ data }) => Number(data.split(' ')[0])).sort();
}

async function lines(domain: TestDomain, type: string): Promise<string[]> {
  const { text } = await answerOf(service.call('get', `/v1/domains/${domain.id}/export?signed=true`));
  return text.split('\n').filter((line) => new RegExp(`\\sIN\\s+${type}\\s`).test(line));
}

const sorted = (tags: readonly number[]): number[] => [...tags].sort();
const faultsOf = (domain: TestDomain): Promise<string[]> => service.get(SignedZoneCheck).faultsOf(domain.id, true);
const isOver = ({ rollover }: ShownDnssec): boolean => rollover === null;

describe('another signer', () => {
  it('23.18 joins with its keys first and its DS after them, and leaves in the other order', async () => {
    const of = await family();
    const { child } = of;
    const own = (await shown(child)).keys[0]!.tag;
    const [ksk, zsk] = foreignKeys();
    const begun = await bodyOf<Shown>(join(child, [ksk.text, zsk.text]));
    expect(begun.rollover).toMatchObject({ key: 'join', signer: 'other', step: 'publish' });
    const byTag = (keys: readonly { readonly tag: number }[]) => [...keys].sort((one, other) => one.tag - other.tag);
    const wanted = [
      { tag: own, signer: null, published: true, signs_keys: true, signs_zone: true },
      { tag: ksk.tag, signer: 'other', published: true, signs_keys: false, signs_zone: false },
      { tag: zsk.tag, signer: 'other', published: true, signs_keys: false, signs_zone: false },
    ];
    expect(byTag(begun.keys)).toMatchObject(byTag(wanted));
    await time.sign(child);
    expect(await lines(child, 'DNSKEY')).toHaveLength(3);
    expect(await lines(child, 'CDS')).toHaveLength(1);
    expect(await faultsOf(child)).toEqual([]);

    const swapping = clock.instant;
    await time.reach(child, ({ rollover }) => rollover?.step === 'swap', 30);
    expect(clock.instant - swapping).toBeGreaterThanOrEqual((TTL - 60) * SECOND);
    await time.sign(child);
    expect(await lines(child, 'CDS')).toHaveLength(2);
    await time.reach(child, isOver);
    expect(await dsTagsIn(of)).toEqual(sorted([own, ksk.tag]));
    expect(await faultsOf(child)).toEqual([]);
    const joined = await shown(child);
    expect([joined.state, joined.ds.length]).toEqual(['secure', 4]);

    await bodyOf(roll(child, { key: 'leave', signer: 'other', ttl: HOUR }));
    const since = clock.instant;
    expect((await shown(child)).rollover).toMatchObject({ key: 'leave', signer: 'other', step: 'withdraw' });
    expect(await dsTagsIn(of)).toEqual(sorted([own, ksk.tag]));
    await time.reach(child, ({ rollover }) => rollover?.step === 'swap', 300);
    expect(clock.instant - since).toBeGreaterThanOrEqual(HOUR * SECOND);
    await time.reach(child, ({ rollover }) => rollover?.step === 'remove', 30);
    expect(await dsTagsIn(of)).toEqual([own]);
    await time.reach(child, isOver, 60);
    await time.sign(child);
    expect(await lines(child, 'DNSKEY')).toHaveLength(1);
    expect((await shown(child)).keys).toMatchObject([{ tag: own }]);
    expect(await faultsOf(child)).toEqual([]);
    await bodyOf(join(child, [ksk.text, zsk.text]));
  });

  it('23.18 that is stopped leaves nothing behind', async () => {
    const of = await family();
    const { child } = of;
    const [ksk, zsk] = foreignKeys();
    const { rollover } = await bodyOf<Shown>(join(child, [ksk.text, zsk.text]));
    await time.sign(child);
    await bodyOf(service.call('delete', `${dnssecPath(child)}/rollovers/${rollover!.id}`));
    await time.sign(child);
    expect((await shown(child)).keys).toHaveLength(1);
    expect(await lines(child, 'DNSKEY')).toHaveLength(1);

    await bodyOf(join(child, [ksk.text, zsk.text]));
    await time.reach(child, isOver);
    const leaving = await bodyOf<Shown>(roll(child, { key: 'leave', signer: 'other' }));
    await bodyOf(service.call('delete', `${dnssecPath(child)}/rollovers/${leaving.rollover!.id}`));
    expect((await shown(child)).keys).toHaveLength(3);
    expect(await dsTagsIn(of)).toHaveLength(2);
  });

  it('23.18 is refused with keys that cannot work, and shares no key', async () => {
    const { child } = await family({ single_key: false });
    const [ksk, zsk] = foreignKeys();
    for (const dnskeys of [
      [],
      [zsk.text],
      [ksk.text, foreignKey(256, { isEd25519: true }).text],
      [ksk.text.replace('257', '385')],
      ['257 3 13 AA=='],
      ['no key'],
      [ksk.text, ...Array.from({ length: 4 }, () => foreignKey().text)],
    ])
      expect((await refusalOf(join(child, dnskeys), 400, 'invalid_object')).errors?.[0]?.path).toBe('dnskeys');
    for (const body of [
      { key: 'join', signer: 'other' },
      { key: 'join', dnskeys: [ksk.text] },
      { key: 'join', signer: 'An other', dnskeys: [ksk.text] },
      { key: 'leave', signer: 'other', dnskeys: [ksk.text] },
      { key: 'zsk', signer: 'other' },
      { key: 'leave', signer: 'other', emergency: true },
    ])
      await refusalOf(roll(child, body), 400, 'invalid_object');
    await refusalOf(roll(child, { key: 'leave', signer: 'other' }), 409, 'dnssec_conflict');
    await refusalOf(join(child, [ksk.text, ksk.text]), 409, 'dnssec_conflict');
    expect((await shown(child)).keys).toHaveLength(2);
  });

  it('23.18 keeps rollovers, the end of signing and the PowerDNS API from breaking the domain', async () => {
    const of = await family({ single_key: false });
    const { child } = of;
    const [ksk, zsk] = foreignKeys();
    await bodyOf(join(child, [ksk.text, zsk.text]));
    await time.reach(child, isOver);
    await refusalOf(roll(child, { key: 'zsk' }), 409, 'dnssec_conflict');
    await refusalOf(roll(child, { key: 'algorithm', algorithm: 'ED25519' }), 409, 'dnssec_conflict');
    await refusalOf(service.call('put', dnssecPath(child), { enabled: false }), 409, 'dnssec_conflict');
    await refusalOf(join(child, [foreignKey(257).text]), 409, 'dnssec_conflict');
    const inPowerDns = `/api/v1/servers/localhost/zones/${child.name}/cryptokeys`;
    expect(await bodyOf<object[]>(service.call('get', inPowerDns))).toHaveLength(4);
    for (const { tag } of [ksk, zsk]) expectStatus(await service.call('delete', `${inPowerDns}/${tag}`), 422);
    await bodyOf(roll(child, { key: 'ksk' }));
    await time.reach(child, isOver);
    const { keys } = await shown(child);
    expect(keys.filter(({ signer }) => signer === 'other')).toHaveLength(2);
    expect(await faultsOf(child)).toEqual([]);
    expect(await dsTagsIn(of)).toContain(ksk.tag);
  });

  it('23.18 keeps its DS when the domain is deleted here', async () => {
    const of = await family();
    const { child } = of;
    const [ksk, zsk] = foreignKeys();
    await bodyOf(join(child, [ksk.text, zsk.text]));
    await time.reach(child, isOver);
    await answerOf(service.call('delete', `/v1/domains/${child.id}?force=true`));
    await until(async () => {
      await service.get(Scheduler).runNow('dnssec.comparison');
      await time.pass(60);
      return (await dsTagsIn(of)).length === 1;
    });
    expect(await dsTagsIn(of)).toEqual([ksk.tag]);
  });

  it('23.18 takes a domain over whose DS is its own: both are needed before the domain is secure', async () => {
    const child = await newDomain(service, freshName(), { ttl: TTL });
    await answerOf(service.call('put', dnssecPath(child), { enabled: true }));
    await time.reach(child, ({ state }) => state === 'ready');
    const [ksk, zsk] = foreignKeys();
    await bodyOf(join(child, [ksk.text, zsk.text]));
    await time.reach(child, ({ rollover }) => rollover?.step === 'swap');
    await time.pass(60);
    expect(await shown(child)).toMatchObject({
      state: 'ready',
      waits_for: 'the parent zone must have the DS of both signers',
    });
    await bodyOf(service.call('post', `${dnssecPath(child)}/parent`, { ds: 'published', ttl: TTL }));
    await time.reach(child, isOver);
    expect((await shown(child)).state).toBe('secure');
  });
});
