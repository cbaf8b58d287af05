import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { signingAlgorithm } from '../../src/dns/dnssec/algorithms.js';
import { dnskeyRdata, SECURE_ENTRY_POINT, SigningKey } from '../../src/dns/dnssec/dnskey.js';
import { readRequests, signRequests } from '../../src/dns/dnssec/key-exchange.js';
import { DomainName } from '../../src/dns/name.js';
import { CDNSKEY } from '../../src/dns/rdata/dnssec.js';
import { SignedZoneCheck } from '../../src/dnssec/signed-zone-check.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { AUDIT_ON, auditPage } from '../support/audit-entries.js';
import { DnssecInTime, dnssecPath, type ShownDnssec } from '../support/dnssec-in-time.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { SteppedClock } from '../support/stepped-clock.js';

jest.setTimeout(240_000);

const NAME_SERVER = 'ns1.example.net.';
const TTL = 600;
const HOUR = 3600;
/** Of a signature, in seconds. */
const VALIDITY = 14 * 86_400;

interface Shown extends ShownDnssec {
  readonly waits_on: string | null;
  readonly offline_ksk: string | null;
  readonly key_response_until: string | null;
  readonly keys: readonly { readonly tag: number; readonly role: string; readonly offline: boolean }[];
  readonly rollover: { readonly id: string; readonly step: string } | null;
}

const clock = new SteppedClock();
let service: AssembledService;
let time: DnssecInTime;

beforeAll(async () => {
  const settings = {
    ...AUDIT_ON,
    SERVICE_CENTRAL__NAME_SERVERS: NAME_SERVER,
    SERVICE_CENTRAL__SOA_MINIMUM: '1',
    SERVICE_DNSSEC__ZSK_LIFETIME: '3650',
    SERVICE_DNSSEC__KSK_LIFETIME: '3650',
  };
  service = await assembleSigningService(settings, clock);
  time = new DnssecInTime(service, clock);
});
afterAll(() => service.stop());

/** A KSK of the machine that keeps it. */
interface Ksk {
  readonly key: SigningKey;
  readonly text: string;
}

function newKsk(): Ksk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicField = signingAlgorithm(13).publicField(privateKey);
  const dnskey = dnskeyRdata({ flags: SECURE_ENTRY_POINT, algorithm: 13, publicField });
  return { key: new SigningKey(dnskey, privateKey), text: CDNSKEY.toText(dnskey) };
}

const shown = (domain: TestDomain): Promise<Shown> => bodyOf<Shown>(service.call('get', dnssecPath(domain)));
const put = (domain: TestDomain, body: object) => service.call('put', dnssecPath(domain), body);
const roll = (domain: TestDomain, body: object) => service.call('post', `${dnssecPath(domain)}/rollovers`, body);
const respond = (domain: TestDomain, response: string) =>
  service.call('post', `${dnssecPath(domain)}/key_response`, { response });

async function request(domain: TestDomain, days = 90): Promise<string> {
  const path = `${dnssecPath(domain)}/key_request?days=${days}`;
  return (await bodyOf<{ request: string }>(service.call('get', path))).request;
}

function signed({ name }: TestDomain, text: string, ksks: readonly Ksk[]): string {
  const apex = DomainName.parse(name);
  const keys = ksks.map(({ key }) => key);
  return signRequests(apex, readRequests(text, apex), keys, VALIDITY, 'today');
}

/** Has the KSKs sign all that the domain needs. */
async function exchange(domain: TestDomain, ksks: readonly Ksk[], days?: number): Promise<Shown> {
  return bodyOf<Shown>(respond(domain, signed(domain, await request(domain, days), ksks)));
}

async function newChild(): Promise<TestDomain> {
  const parent = await newDomain(service, freshName(), { ttl: TTL });
  const child = await newDomain(service, `child.${parent.name}`, { ttl: TTL });
  await parent.newRecord({ name: child.name, type: 'NS', data: NAME_SERVER });
  await child.newRecord({ name: child.at('www') });
  return child;
}

/** A secure domain whose KSK is offline, with responses for some days. */
async function secureChild(ksk: Ksk, days?: number): Promise<TestDomain> {
  const child = await newChild();
  await answerOf(put(child, { enabled: true, offline_ksk: ksk.text }));
  await exchange(child, [ksk], days);
  await time.reach(child, ({ state }) => state === 'secure');
  return child;
}

const faultsOf = (domain: TestDomain): Promise<string[]> => service.get(SignedZoneCheck).faultsOf(domain.id, true);
const isOver = ({ rollover }: ShownDnssec): boolean => rollover === null;
const isIn =
  (step: string) =>
  ({ rollover }: ShownDnssec): boolean =>
    rollover?.step === step;

async function lines(domain: TestDomain, type: string): Promise<string[]> {
  const { text } = await answerOf(service.call('get', `/v1/domains/${domain.id}/export?signed=true`));
  return text.split('\n').filter((line) => new RegExp(`\\sIN\\s+${type}\\s`).test(line));
}

describe('an offline KSK', () => {
  it('23.19 signs the domain as soon as its response has come', async () => {
    const ksk = newKsk();
    const child = await newChild();
    const begun = await bodyOf<Shown>(put(child, { enabled: true, offline_ksk: ksk.text }));
    expect(begun).toMatchObject({ state: 'signing', waits_on: 'operator', single_key: false, offline_ksk: ksk.text });
    await time.sign(child);
    await time.pass(60);
    expect(await shown(child)).toMatchObject({ state: 'signing', key_response_until: null });

    const after = await exchange(child, [ksk]);
    expect(after.key_response_until).toBe('2027-02-26T08:31:00.000000');
    await time.reach(child, ({ state }) => state === 'secure');
    expect(await faultsOf(child)).toEqual([]);
    expect(await lines(child, 'CDS')).toHaveLength(1);
    const present = await shown(child);
    expect(present.keys).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tag: ksk.key.tag, role: 'ksk', offline: true, rollover_at: null }),
        expect.objectContaining({ role: 'zsk', offline: false, rollover_at: expect.any(String) }),
      ]),
    );

    const before = await lines(child, 'RRSIG');
    await answerOf(put(child, present));
    await answerOf(put(child, { enabled: true, offline_ksk: ksk.text }));
    await time.sign(child);
    expect(await lines(child, 'RRSIG')).toEqual(before);
    const { audit } = await auditPage(service, 'action=dnssec.key_response');
    expect(audit[0]).toMatchObject({ details: { signatures: 39 } });
  });

  it('23.19 has its next signatures published when they begin, and halts the domain without any', async () => {
    const ksk = newKsk();
    const child = await secureChild(ksk, 14);
    const [first] = (await lines(child, 'RRSIG')).filter((line) => line.includes('RRSIG\tDNSKEY'));
    await time.pass(8 * 86_400);
    await time.sign(child);
    const [second] = (await lines(child, 'RRSIG')).filter((line) => line.includes('RRSIG\tDNSKEY'));
    expect(second).not.toBe(first);
    expect(await faultsOf(child)).toEqual([]);

    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await time.pass(14 * 86_400);
    await time.reach(child, ({ state }) => state === 'halted');
    logged.mockRestore();
    expect((await shown(child)).waits_for).toContain(`the signatures of the offline KSK ${ksk.key.tag} have ended`);
    await exchange(child, [ksk]);
    await time.reach(child, ({ state }) => state === 'secure');
    expect(await faultsOf(child)).toEqual([]);
  });

  it('23.19 leaves the TTL of the keys as it signed it', async () => {
    const child = await secureChild(newKsk());
    await answerOf(service.call('put', `/v1/domains/${child.id}`, { name: child.name, ttl: 60 }));
    await time.sign(child);
    expect((await lines(child, 'DNSKEY')).map((line) => line.split('\t')[1])).toEqual(['600', '600']);
    expect(await faultsOf(child)).toEqual([]);
  });

  it('23.19 signs the keys of all steps of a rollover of the ZSK before it begins', async () => {
    const ksk = newKsk();
    const child = await secureChild(ksk);
    const before = (await shown(child)).keys.find(({ role }) => role === 'zsk')?.tag;
    await answerOf(roll(child, { key: 'zsk' }));
    await time.reach(child, isIn('prepare'));
    const waiting = await shown(child);
    expect(waiting).toMatchObject({ waits_on: 'operator' });
    expect(await lines(child, 'DNSKEY')).toHaveLength(2);

    const changed = await child.newRecord({ name: child.at('while-waiting') });
    expect(changed.name).toBe(child.at('while-waiting'));
    await exchange(child, [ksk]);
    await time.reach(child, isIn('publish'));
    expect(await lines(child, 'DNSKEY')).toHaveLength(3);
    for (const step of ['swap', 'remove']) {
      await time.reach(child, isIn(step));
      expect(await faultsOf(child)).toEqual([]);
    }
    await time.reach(child, isOver, HOUR);
    expect(await faultsOf(child)).toEqual([]);
    expect((await shown(child)).keys.map(({ tag }) => tag)).not.toContain(before);
  });

  it('23.19 lets a rollover be stopped after a response for its steps alone', async () => {
    const ksk = newKsk();
    const child = await secureChild(ksk);
    await answerOf(roll(child, { key: 'zsk' }));
    await exchange(child, [ksk]);
    const { rollover } = (await time.reach(child, isIn('publish'))) as Shown;
    await exchange(child, [ksk], 30);
    await answerOf(service.call('delete', `${dnssecPath(child)}/rollovers/${rollover!.id}`));
    await time.sign(child);
    expect(await lines(child, 'DNSKEY')).toHaveLength(2);
    expect(await faultsOf(child)).toEqual([]);
  });

  it('23.19 is replaced by another one, and by a KSK of the service', async () => {
    const [first, second] = [newKsk(), newKsk()];
    const child = await secureChild(first);
    await answerOf(roll(child, { key: 'ksk', dnskeys: [second.text] }));
    await exchange(child, [first, second]);
    await time.reach(child, isIn('swap'));
    expect(await faultsOf(child)).toEqual([]);
    await time.reach(child, isOver, HOUR);
    expect(await shown(child)).toMatchObject({ offline_ksk: second.text, state: 'secure' });
    expect(await faultsOf(child)).toEqual([]);

    await answerOf(roll(child, { key: 'ksk' }));
    await exchange(child, [second]);
    await time.reach(child, isOver, HOUR);
    expect(await shown(child)).toMatchObject({ offline_ksk: null, key_response_until: null, state: 'secure' });
    expect(await faultsOf(child)).toEqual([]);
    await answerOf(roll(child, { key: 'zsk' }));
    expect((await shown(child)).rollover).toMatchObject({ step: 'publish' });
  });

  it('23.19 takes the place of a KSK of the service', async () => {
    const ksk = newKsk();
    const child = await newChild();
    await answerOf(put(child, { enabled: true, single_key: false }));
    await time.reach(child, ({ state }) => state === 'secure');
    await answerOf(roll(child, { key: 'ksk', dnskeys: [ksk.text] }));
    await exchange(child, [ksk]);
    await time.reach(child, isOver, HOUR);
    expect(await shown(child)).toMatchObject({ offline_ksk: ksk.text, state: 'secure' });
    expect(await faultsOf(child)).toEqual([]);
  });

  it('23.18, 23.19 is shared by signers with ZSKs of their own', async () => {
    const ksk = newKsk();
    const child = await secureChild(ksk);
    const other = newKsk().text.replace('257', '256');
    const tags = async (): Promise<number> => (await lines(child, 'DNSKEY')).length;
    await answerOf(roll(child, { key: 'join', signer: 'other', dnskeys: [other] }));
    await exchange(child, [ksk]);
    await time.reach(child, isOver, HOUR);
    expect(await tags()).toBe(3);
    expect(await lines(child, 'CDS')).toHaveLength(1);
    expect(await faultsOf(child)).toEqual([]);

    await answerOf(roll(child, { key: 'leave', signer: 'other', ttl: 86_400 }));
    await exchange(child, [ksk]);
    await time.reach(child, isIn('withdraw'));
    const since = clock.instant;
    await time.reach(child, isIn('remove'), HOUR);
    expect(clock.instant - since).toBeGreaterThan(86_000 * 1_000_000);
    await time.reach(child, isOver, HOUR);
    expect(await tags()).toBe(2);
    expect(await faultsOf(child)).toEqual([]);
  });

  it('23.3, 23.19 is left without CDS, which nobody has signed', async () => {
    const child = await secureChild(newKsk());
    await answerOf(put(child, { enabled: false }));
    await time.sign(child);
    expect(await lines(child, 'CDS')).toEqual([]);
    expect((await shown(child)).state).toBe('leaving');
    expect(await faultsOf(child)).toEqual([]);
  });
});

describe('a signed key response', () => {
  it('23.19 is refused without a valid signature for the keys of the domain', async () => {
    const [ksk, other] = [newKsk(), newKsk()];
    const child = await newChild();
    await answerOf(put(child, { enabled: true, offline_ksk: ksk.text }));
    const text = await request(child, 7);
    const good = signed(child, text, [ksk]);
    const wrong = good.replace(
      /(RRSIG DNSKEY .* )(\S{4})(\S*)\n/,
      (_, head: string, part: string, rest: string) => `${head}${part === 'AAAA' ? 'BBBB' : 'AAAA'}${rest}\n`,
    );
    const past = signRequests(
      DomainName.parse(child.name),
      readRequests(text, DomainName.parse(child.name)).map((one) => ({ ...one, from: one.from - 40 * 86_400 })),
      [ksk.key],
      VALIDITY,
      'then',
    );
    const bare = text.replace(/^; KSK.*\n/gm, '');
    const refused: [string, RegExp][] = [
      ['', /no line begins with/],
      ['no response', /no line begins with/],
      [text, /write a SignedKeyResponse/],
      [good.replaceAll(child.name, 'elsewhere.example.'), /line 2/],
      [good.replace(/ RRSIG .*/g, ' A 192.0.2.1'), /line/],
      [wrong, new RegExp(`signature of the KSK ${ksk.key.tag} is wrong`)],
      [past, /no valid signature/],
      [signed(child, bare, [other]), /no valid signature/],
      [`${good}\n${'x'.repeat(3000)}`, /line/],
    ];
    for (const [response, message] of refused) {
      const { errors } = await refusalOf(respond(child, response), 400, 'invalid_object');
      expect(errors?.[0]).toMatchObject({ path: 'response', message: expect.stringMatching(message) });
    }
    expect((await shown(child)).key_response_until).toBeNull();
    await answerOf(respond(child, good.replaceAll('\n', '\r\n')));
  });

  it('23.19 is refused for a domain without an offline KSK, and so are other requests', async () => {
    const child = await newChild();
    await refusalOf(service.call('get', `${dnssecPath(child)}/key_request`), 409, 'dnssec_conflict');
    await refusalOf(respond(child, ';; SignedKeyResponse 1.0 1 =\n'), 409, 'dnssec_conflict');
    const ksk = newKsk();
    const zsk = ksk.text.replace('257', '256');
    for (const algorithm of ['5', '10', '253'])
      await refusalOf(
        put(child, { enabled: true, offline_ksk: ksk.text.replace(' 13 ', ` ${algorithm} `) }),
        400,
        'invalid_object',
      );
    await refusalOf(put(child, { enabled: true, offline_ksk: zsk }), 400, 'invalid_object');
    await refusalOf(put(child, { enabled: true, offline_ksk: 'none' }), 400, 'invalid_object');
    await refusalOf(put(child, { enabled: true, offline_ksk: ksk.text, algorithm: 'ED25519' }), 400, 'invalid_object');
    await refusalOf(put(child, { enabled: true, offline_ksk: ksk.text, single_key: true }), 400, 'invalid_object');
    await answerOf(put(child, { enabled: true, offline_ksk: ksk.text }));
    await refusalOf(put(child, { enabled: true, offline_ksk: newKsk().text }), 409, 'dnssec_conflict');
    await exchange(child, [ksk]);
    await time.reach(child, ({ state }) => state === 'secure');
    await refusalOf(roll(child, { key: 'algorithm', algorithm: 'ED25519' }), 409, 'dnssec_conflict');
    await refusalOf(roll(child, { key: 'ksk', dnskeys: [ksk.text, newKsk().text] }), 400, 'invalid_object');
    await refusalOf(roll(child, { key: 'zsk', dnskeys: [newKsk().text] }), 400, 'invalid_object');
    for (const days of ['0', '181', 'x'])
      await refusalOf(service.call('get', `${dnssecPath(child)}/key_request?days=${days}`), 400, 'invalid_object');
  });

  it('23.7, 23.19: a new domain of the name gets new keys, since one of the former is not here', async () => {
    const ksk = newKsk();
    const child = await secureChild(ksk);
    const { keys } = await shown(child);
    await answerOf(service.call('delete', `/v1/domains/${child.id}?force=true`));
    const again = await newDomain(service, child.name, { ttl: TTL });
    await answerOf(put(again, { enabled: true, single_key: false }));
    const tags = (await shown(again)).keys.map(({ tag }) => tag);
    for (const { tag } of keys) expect(tags).not.toContain(tag);
  });
});
