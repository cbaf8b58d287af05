import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { Type } from '../../src/dns/dnssec/wire-set.js';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/soa.js';
import { answerOf } from '../support/answers.js';
import { faultsOf, genericText, itWithJudges } from '../support/dnssec-judges.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { times } from '../support/length.js';
import { query } from '../support/messages.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { killAll, runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { type Clients, clientsOf, environmentOf, removeTestData } from '../support/service.js';
import { transfer } from '../support/transfers.js';
import { until } from '../support/until.js';

// Several starts of processes.
jest.setTimeout(180_000);

const ROUNDS = times(3, 30);

let directory: string;
let port: number;
let processes: ServiceProcess[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-dnssec-'));
  port = await freePort();
  processes = [];
});
afterEach(async () => {
  for (const one of processes) {
    killAll(one);
    await one.ended;
  }
  await removeTestData(directory);
});

const environment = (settings = {}): Record<string, string> =>
  environmentOf(directory, {
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    ...DNSSEC_ON,
    ...settings,
  });

async function start(settings = {}): Promise<{ readonly one: ServiceProcess; readonly clients: Clients }> {
  const one = await startServiceProcess(directory, environment(settings));
  processes.push(one);
  return { one, clients: clientsOf(one.url) };
}

async function kill(one: ServiceProcess): Promise<void> {
  killAll(one);
  await one.ended;
}

/** The zone as it is transferred. */
async function published({ name }: TestDomain): Promise<readonly ResourceRecord[]> {
  const { records } = await transfer(port, query(MetaType.AXFR, {}, DomainName.parse(name)));
  return records.slice(0, -1);
}

function serialOf([soa]: readonly ResourceRecord[]): number {
  return soa === undefined ? 0 : SOA.values(soa.rdata).serial;
}

async function expectValid(domain: TestDomain): Promise<void> {
  expect(await faultsOf(domain.name, genericText(await published(domain)))).toEqual([]);
  const { code, stdout } = await runCommand(directory, environment(), ['dnssec', 'check', domain.name]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('nothing is wrong')]);
}

itWithJudges('23.6: kill -9 in the middle of changes leaves a domain that is signed, and goes on', async () => {
  let { one, clients } = await start();
  const domain = await newDomain(clients);
  await answerOf(clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }));
  await until(async () => (await published(domain)).some(({ type }) => type === Type.DNSKEY));
  let serial = serialOf(await published(domain));
  for (let round = 0; round < ROUNDS; round += 1) {
    const created = Array.from({ length: 20 }, (_, at) =>
      clients
        .call('post', `/v1/domains/${domain.id}/records`, {
          name: domain.at(`r${round}-${at}`),
          type: 'A',
          data: '192.0.2.1',
        })
        .then(
          ({ status }) => status === 200,
          () => false,
        ),
    );
    await delay(20 + 30 * round);
    await kill(one);
    const accepted = await Promise.all(created);
    ({ one, clients } = await start());
    const wanted = accepted.flatMap((isAccepted, at) => (isAccepted ? [domain.at(`r${round}-${at}`)] : []));
    await until(async () => {
      const names = new Set((await published(domain)).map(({ owner }) => owner.toString()));
      return wanted.every((name) => names.has(name));
    });
    await expectValid(domain);
    const records = await published(domain);
    expect(serialOf(records)).toBeGreaterThanOrEqual(serial);
    serial = serialOf(records);
  }
});

itWithJudges(
  '23.7: changes accepted by a process without keys are signed by another process and served by both',
  async () => {
    const keyless = await start({ SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: '' });
    const domain = await newDomain(keyless.clients);
    const refused = await keyless.clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true });
    expect(refused.status).toBe(503);
    const signer = await start({ SERVICE_MDNS__LISTEN: `127.0.0.1:${await freePort()}` });
    await answerOf(signer.clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }));
    await until(async () => (await published(domain)).some(({ type }) => type === Type.DNSKEY));
    await answerOf(
      keyless.clients.call('post', `/v1/domains/${domain.id}/records`, {
        name: domain.at('late'),
        type: 'A',
        data: '192.0.2.9',
      }),
    );
    await until(async () =>
      (await published(domain)).some(({ owner }) => owner.equals(DomainName.parse(domain.at('late')))),
    );
    await expectValid(domain);
  },
);
