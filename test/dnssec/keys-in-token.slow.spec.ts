import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, jest } from '@jest/globals';
import { readKey } from '../../src/cli/commands/dnssec.command.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { quickFaultsOf } from '../support/dnssec-judges.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { domainOf, freshName, newDomain, type TestDomain } from '../support/domain.js';
import { ownPlaceForEach } from '../support/own-place.js';
import { type Ended, killAll, runCommand, type ServiceProcess, wordsIn } from '../support/process.js';
import { type Clients, clientsOf, environmentOf, type Settings } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { itUnasked, run } from '../support/run-program.js';
import { itWithToken, TestToken } from './softhsm.js';

jest.setTimeout(180_000);

const place = ownPlaceForEach('keys-in-token');
const itInToken = itWithToken();
const SIGNING: Settings = {
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_CENTRAL__SOA_MINIMUM: '1',
  SERVICE_DNSSEC__ENABLED: 'True',
};
const ALGORITHMS = ['RSASHA256', 'ECDSAP256SHA256', 'ECDSAP384SHA384', 'ED25519', 'ED448'];

interface Shown {
  readonly state: string;
  readonly published_serial: number | null;
  readonly keys: readonly { readonly tag: number }[];
  readonly rollover: object | null;
}

let service: ServiceProcess;
let clients: Clients;
let token: TestToken;

async function start(settings: Settings): Promise<void> {
  service = await place.start({ ...SIGNING, ...settings }, token.environment);
  clients = clientsOf(service.url);
}

async function restart(settings: Settings): Promise<void> {
  killAll(service);
  await service.ended;
  await start(settings);
}

function zonewright(...args: string[]): Promise<Ended> {
  const settings = environmentOf(place.directory, { ...SIGNING, ...DNSSEC_ON, ...token.settings });
  return runCommand(place.directory, { ...settings, ...token.environment }, ['dnssec', ...args]);
}

const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;
const shown = (domain: TestDomain): Promise<Shown> => bodyOf<Shown>(clients.call('get', pathOf(domain)));
const oneDomain = (): Promise<TestDomain> => newDomain(clients, freshName(), { ttl: 1 });

async function sign(domain: TestDomain, wish: object = {}): Promise<Shown> {
  await answerOf(clients.call('put', pathOf(domain), { enabled: true, ...wish }));
  await until(async () => (await shown(domain)).state === 'ready');
  return shown(domain);
}

async function expectRight(domain: string): Promise<void> {
  expect(await zonewright('check', domain)).toMatchObject({ code: 0, stderr: '' });
}

/** Resolves when a new record has signatures. */
async function expectSigned(domain: TestDomain): Promise<void> {
  const before = (await shown(domain)).published_serial ?? 0;
  const now = domainOf(clients, domain);
  await now.newRecord({ name: now.at(freshName().slice(0, 9)) });
  await until(async () => ((await shown(domain)).published_serial ?? 0) > before, 120_000);
  await expectRight(domain.name);
}

function tokenProcess(): number {
  return Number(execFileSync('pgrep', ['-P', String(service.pid), '-f', 'pkcs11-process'], { encoding: 'utf8' }));
}

interface KeyRow {
  readonly role: string;
  readonly sealed: string | null;
  readonly sealedWith: string | null;
  readonly retiredAt: number | null;
}

const KEYS = 'SELECT role, sealed, sealed_with AS "sealedWith", retired_at AS "retiredAt" FROM zone_keys ORDER BY role';
const keyRows = (): KeyRow[] => lookInto(place.database, (stored) => stored.rows<KeyRow>(KEYS));

itInToken('23.20: makes keys of all algorithms in the token, signs with them, and rolls them', async () => {
  token = await TestToken.make(place.directory);
  await start(token.settings);
  const domains = await Promise.all(ALGORITHMS.map(oneDomain));
  const before = await Promise.all(
    domains.map((domain, at) => sign(domain, { algorithm: ALGORITHMS[at], single_key: false })),
  );
  await expectRight('--all');
  for (const domain of domains) await answerOf(clients.call('post', `${pathOf(domain)}/rollovers`, { key: 'zsk' }));
  await until(async () => (await Promise.all(domains.map(shown))).every(({ rollover }) => rollover === null), 60_000);
  const after = await Promise.all(domains.map(shown));
  for (const [at, { keys }] of after.entries()) {
    expect(keys).not.toEqual(before[at]?.keys);
    expect(keys).toEqual(keys.map(() => expect.objectContaining({ in_token: true })));
  }
  await expectRight('--all');
  for (const { id, name } of domains) {
    const { text } = await answerOf(clients.call('get', `/v1/domains/${id}/export?signed=true`));
    expect(await quickFaultsOf(name, text)).toEqual([]);
  }
  expect(await zonewright('export-keys', domains[0]?.name ?? '')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot leave its token'),
  });
  const rows = keyRows();
  expect(rows).toHaveLength(3 * ALGORITHMS.length);
  for (const row of rows)
    expect(row).toMatchObject({ sealedWith: 'token', sealed: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(await token.objects()).toBe(2 * rows.length);
});

itInToken('23.20: rolls keys from the database into the token', async () => {
  token = await TestToken.make(place.directory);
  await start(DNSSEC_ON);
  const domain = await oneDomain();
  await sign(domain, { single_key: false });
  await restart({ ...DNSSEC_ON, ...token.settings });
  await expectSigned(domain);
  await answerOf(clients.call('post', `${pathOf(domain)}/rollovers`, { key: 'zsk' }));
  await until(async () => (await shown(domain)).rollover === null, 60_000);
  await expectSigned(domain);
  const inUse = keyRows().filter(({ retiredAt }) => retiredAt === null);
  expect(inUse.map(({ role, sealedWith }) => [role, sealedWith === 'token'])).toEqual([
    ['ksk', false],
    ['zsk', true],
  ]);

  killAll(service);
  await service.ended;
  await expect(start(DNSSEC_ON)).rejects.toThrow('pkcs11_library is not set');
});

itInToken('23.20: gives a domain that is made again its key in the token', async () => {
  token = await TestToken.make(place.directory);
  await start(token.settings);
  const domain = await oneDomain();
  const before = await sign(domain);
  await answerOf(clients.call('delete', `/v1/domains/${domain.id}`));
  const again = await newDomain(clients, domain.name, { ttl: 1 });
  const after = await sign(again);
  expect(after.keys.map(({ tag }) => tag)).toEqual(before.keys.map(({ tag }) => tag));
  await expectRight(again.name);
  expect(await token.objects()).toBe(2);
});

itInToken('23.20: takes over the keys of a former signer that are in the token', async () => {
  token = await TestToken.make(place.directory);
  await start(token.settings);
  for (const [at, algorithm] of ['ECDSAP256SHA256', 'RSASHA256', 'ED25519'].entries()) {
    const domain = await oneDomain();
    const { stdout } = await run('dnssec-keygen', [
      ...['-K', place.directory, '-a', algorithm, '-f', 'KSK'],
      domain.name,
    ]);
    const stem = join(place.directory, stdout.trim());
    const { privateKey } = await readKey(stem);
    await writeFile(`${stem}.p8`, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    await rm(`${stem}.private`);
    expect(await zonewright('enable', domain.name, '--key', stem)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('or into the token'),
    });
    await token.import(`${stem}.p8`, `a${at}`);
    expect(await zonewright('enable', domain.name, '--key', stem)).toMatchObject({ code: 0, stderr: '' });
    await until(async () => (await shown(domain)).state === 'ready');
    const { keys } = await shown(domain);
    expect(keys).toEqual([expect.objectContaining({ tag: Number(stem.slice(-5)), in_token: true })]);
    await expectSigned(domain);
  }
});

itInToken('23.20: leaves no key of a refused change in the token', async () => {
  token = await TestToken.make(place.directory);
  await start(token.settings);
  const domain = await oneDomain();
  await domain.newRecord({ name: domain.name, type: 'CDS', data: '0 0 0 00' });
  await answerOf(clients.call('put', pathOf(domain), { enabled: true }), 409);
  expect(await token.objects()).toBe(0);
});

itInToken('23.20: goes on after the process of the library was killed', async () => {
  token = await TestToken.make(place.directory);
  await start(token.settings);
  const domain = await oneDomain();
  await sign(domain);
  process.kill(tokenProcess(), 'SIGKILL');
  await expectSigned(domain);
});

itInToken('23.20: signs again when the token is back', async () => {
  token = await TestToken.make(place.directory);
  await start(token.settings);
  const domain = await oneDomain();
  await sign(domain);
  await token.remove();
  // SoftHSM may sign on for a moment.
  await until(async () => {
    await domain.newRecord({ name: domain.at(freshName().slice(0, 9)) });
    await delay(500);
    return service.output().stdout.includes('pkcs11_token cannot be used');
  });
  await token.putBack();
  await expectSigned(domain);
});

(process.env.ZONEWRIGHT_TESTS_LONG === 'true' ? itInToken : itUnasked('ZONEWRIGHT_TESTS_LONG=true'))(
  '23.20: goes on after the library has hung',
  async () => {
    token = await TestToken.make(place.directory);
    await start(token.settings);
    const domain = await oneDomain();
    await sign(domain);
    const hung = tokenProcess();
    process.kill(hung, 'SIGSTOP');
    const began = performance.now();
    await domain.newRecord({ name: domain.at('hung') });
    expect(performance.now() - began).toBeLessThan(2000);
    await until(() => !isAlive(hung));
    await expectSigned(domain);
  },
);

itInToken('23.20: tries a wrong PIN once for each start', async () => {
  token = await TestToken.make(place.directory);
  await start({ ...token.settings, SERVICE_DNSSEC__PKCS11_PIN: '0000' });
  const domain = await oneDomain();
  for (let time = 0; time < 2; time += 1) {
    const refused = await answerOf(clients.call('put', pathOf(domain), { enabled: true }), 503);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('CKR_PIN_INCORRECT') });
  }
  const said = wordsIn(service.output().stdout).filter((word) => word.includes('pkcs11_token'));
  expect(said).toEqual([expect.stringMatching(/^The token of pkcs11_token cannot be used: CKR_PIN_INCORRECT/)]);
  await restart(token.settings);
  await sign(domain);
  await expectRight(domain.name);
});

itInToken('23.20: says which setting is wrong', async () => {
  token = await TestToken.make(place.directory, 'another');
  await start(token.settings);
  const domain = await oneDomain();
  const refused = await answerOf(clients.call('put', pathOf(domain), { enabled: true }), 503);
  expect(refused.body).toMatchObject({ message: expect.stringContaining('no token with the label zonewright') });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
