import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { definePlugin, fill, KeyToken, TokenFailure, type TokenKeyPair } from '../../src/index.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { DnssecInTime, dnssecPath } from '../support/dnssec-in-time.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { executeIn, lookInto } from '../support/stored.js';
import { DAY, SteppedClock } from '../support/stepped-clock.js';

jest.setTimeout(120_000);

const KEYS = new Map<string, KeyObject>();
let fault: 'none' | 'down' | 'wrong' = 'none';

/** A key service of another team, for ECDSAP256SHA256. */
class KeyService extends KeyToken {
  override makeKey(): Promise<TokenKeyPair> {
    if (fault === 'down') return Promise.reject(new TokenFailure('the key service is down'));
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const reference = randomUUID();
    KEYS.set(reference, privateKey);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    return Promise.resolve({ reference, publicField: point(x, y) });
  }

  override sign(reference: string, _: number, data: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    const key = KEYS.get(reference);
    if (fault === 'down' || key === undefined) return Promise.reject(new TokenFailure('the key service is down'));
    const signatures = data.map((one) => sign('sha256', one, { key, dsaEncoding: 'ieee-p1363' }));
    return Promise.resolve(fault === 'wrong' ? signatures.map(() => Buffer.alloc(64)) : signatures);
  }

  override findKey(): Promise<string | null> {
    return Promise.resolve(null);
  }

  override destroyKey(reference: string): Promise<void> {
    KEYS.delete(reference);
    return Promise.resolve();
  }
}

function point(x: string, y: string): Buffer {
  return Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
}

const plugin = definePlugin({
  name: 'key-service',
  zonewright: '*',
  core: () => ({ ports: [fill(KeyToken, KeyService)] }),
});

const clock = new SteppedClock();
let service: AssembledService;
let time: DnssecInTime;

beforeAll(async () => {
  const settings = { SERVICE_CENTRAL__SOA_MINIMUM: '1', SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: '' };
  service = await assembleSigningService(settings, clock, [plugin]);
  time = new DnssecInTime(service, clock);
});
afterAll(() => service.stop());

beforeEach(() => {
  fault = 'none';
});

const publishedSerial = async (domain: TestDomain): Promise<number | null> =>
  (await bodyOf<{ readonly published_serial: number | null }>(service.call('get', dnssecPath(domain))))
    .published_serial;

async function signed(wish: object = {}): Promise<TestDomain> {
  const domain = await newDomain(service, freshName(), { ttl: 60 });
  await answerOf(service.call('put', dnssecPath(domain), { enabled: true, ...wish }));
  await time.reach(domain, ({ state }) => state === 'ready');
  return domain;
}

const runTask = (name: string): Promise<void> => service.get(Scheduler).runNow(name);

it('23.20: destroys a key 30 days after its last use, and not before', async () => {
  const domain = await signed({ single_key: false });
  const before = KEYS.size;
  await answerOf(service.call('post', `${dnssecPath(domain)}/rollovers`, { key: 'zsk' }));
  await time.reach(domain, ({ rollover }) => rollover === null);
  expect(KEYS.size).toBe(before + 1);
  await runTask('dnssec.token');
  expect(KEYS.size).toBe(before + 1);
  clock.instant += 31 * DAY;
  await runTask('dnssec.token');
  expect(KEYS.size).toBe(before);
});

it('23.20: keeps a key that another domain has too', async () => {
  const domain = await signed();
  const shared = lookInto(service.databaseFile, (stored) =>
    stored.rows<{ sealed: string }>('SELECT sealed FROM zone_keys WHERE zone_id = ?', domain.id),
  );
  const other = await signed();
  executeIn(
    service.databaseFile,
    `UPDATE zone_keys SET sealed = '${shared[0]?.sealed ?? ''}', retired_at = 1 WHERE zone_id = '${other.id}'`,
  );
  await runTask('dnssec.token');
  expect([...KEYS.keys()]).toContain(shared[0]?.sealed);
});

it('23.20: accepts changes while the token is down, and signs them later', async () => {
  const domain = await signed();
  fault = 'down';
  const published = await publishedSerial(domain);
  await domain.newRecord({ name: domain.at('later') });
  const other = await newDomain(service, freshName());
  const { message } = await refusalOf(service.call('put', dnssecPath(other), { enabled: true }), 503, 'unavailable');
  expect(message).toBe('No key can be made in the token now: the key service is down.');
  expect(await publishedSerial(domain)).toBe(published);
  fault = 'none';
  await time.sign(domain);
  expect(await publishedSerial(domain)).not.toBe(published);
});

it('23.20: halts a domain whose token signs wrongly', async () => {
  const domain = await signed();
  fault = 'wrong';
  const published = await publishedSerial(domain);
  await domain.newRecord({ name: domain.at('wrong') });
  const { waits_for: wait } = await time.reach(domain, ({ state }) => state === 'halted');
  expect(wait).toContain('is wrong');
  expect(await publishedSerial(domain)).toBe(published);
});
