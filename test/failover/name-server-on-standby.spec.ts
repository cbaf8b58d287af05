import { afterEach, beforeAll, beforeEach, describe, expect, jest } from '@jest/globals';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType } from '../../src/dns/message/codes.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { ask as question, queryOf, rcodeOf } from '../support/dns-client.js';
import { COMMAND_LINE, runCommand, type ServiceProcess } from '../support/process.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { Secondary } from '../support/secondary.js';
import { clientsOf, environmentOf } from '../support/service.js';
import { transfer } from '../support/transfers.js';
import { until } from '../support/until.js';
import { ownCluster } from './own-cluster.js';
import { REPLICATED_POSTGRES, type PostgresServer } from './replicated-postgres.js';

jest.setTimeout(120_000);

const DATABASE = 'regions';

const cluster = ownCluster(DATABASE);
let reader: PostgresServer;
let secondary: Secondary;

beforeAll(async () => {
  if (isInstalled(REPLICATED_POSTGRES)) reader = await cluster.postgres.addReader();
});
beforeEach(async () => {
  secondary = await Secondary.start();
  secondary.onNotify = (zone) => void bringTo(secondary, zone);
});
afterEach(() => secondary.stop());

/** Where the name server on the standby listens. */
let port = 0;

/** A notified secondary asks the server of its region for a zone. */
async function bringTo(server: Secondary, zone: string): Promise<void> {
  server.serials.set(zone, await serialAt(port, zone));
}

async function serialAt(at: number, zone: string): Promise<number> {
  const { answers } = await question({ port: at }, { name: zone, type: SOA.code });
  return answers[0] === undefined ? 0 : SOA.values(answers[0].rdata).serial;
}

function environment(settings: Record<string, string> = {}): Record<string, string> {
  return environmentOf(cluster.directory, {
    DATABASE__URL: cluster.urlOf(cluster.postgres.primaryPort),
    DATABASE__READ_URLS: cluster.urlOf(reader.port),
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.0/8',
    SERVICE_MDNS__CATALOG_ZONE: 'catalog.example.',
    ...settings,
  });
}

async function startOnStandby(own: Record<string, string> = {}): Promise<ServiceProcess> {
  // Its primary is nowhere.
  const settings = {
    ...own,
    DATABASE__URL: 'sqlite:nowhere/at-all.sqlite',
    SERVICE_MDNS__SECONDARIES: secondary.address,
    SERVICE_MDNS__UPDATES: 'True',
  };
  const server = await cluster.start(environment(settings), [COMMAND_LINE, 'mdns', '--standby']);
  port = Number(new URL(server.url).port);
  return server;
}

const told = (domain: TestDomain): number | undefined => secondary.serials.get(domain.name);

/** Retries like a client that is refused without a primary. */
async function changeWhenServed(domain: TestDomain): Promise<void> {
  const record = { name: domain.at('after'), type: 'A', data: '192.0.2.1' };
  await until(async () => (await domain.create(record)).status === 200);
}

describe('18.9 a name server whose primary dies', () => {
  itWith(REPLICATED_POSTGRES)('answers immediately from a lagging standby, with the age of the data', async () => {
    const servicePort = await freePort();
    const listen = `127.0.0.1:${servicePort}`;
    const service = await cluster.start(environment({ SERVICE_MDNS__ENABLED: 'True', SERVICE_MDNS__LISTEN: listen }));
    const domain = await newDomain(clientsOf(service.url));
    await until(async () => (await serialAt(servicePort, domain.name)) === domain.serial);
    await reader.pauseReplay();
    cluster.undo(() => reader.resumeReplay());
    await domain.newRecord();
    // The standby is found to be behind, and the primary answers.
    await until(async () => (await serialAt(servicePort, domain.name)) > domain.serial);
    await cluster.postgres.killPrimary();
    cluster.undo(() => cluster.postgres.startPrimary());
    const answer = await question({ port: servicePort }, { name: domain.name, type: SOA.code });
    expect(rcodeOf(answer)).toBe('NOERROR');
    expect(await serialAt(servicePort, domain.name)).toBe(domain.serial);
  });
});

describe('18.10 a name server on a standby alone', () => {
  itWith(REPLICATED_POSTGRES)(
    'tells of changes, and hands out zones, also while the region of the primary is away; it writes nothing',
    async () => {
      const servicePort = await freePort();
      const listen = `127.0.0.1:${servicePort}`;
      const service = await cluster.start(environment({ SERVICE_MDNS__ENABLED: 'True', SERVICE_MDNS__LISTEN: listen }));
      const domain = await newDomain(clientsOf(service.url));
      const server = await startOnStandby();
      await until(() => told(domain) === domain.serial);
      await domain.newRecord();
      const { serial } = await domain.now();
      await until(() => told(domain) === serial);
      const other = await newDomain(clientsOf(service.url));
      await until(() => told(other) === other.serial);
      await until(() => secondary.heard.some(({ zone }) => zone === 'catalog.example.'));

      await cluster.postgres.killPrimary();
      const whole = await transfer(port, queryOf({ name: domain.name, type: MetaType.AXFR }));
      expect(whole.records.length).toBeGreaterThan(2);
      const difference = await transfer(
        port,
        queryOf({ name: domain.name, type: MetaType.IXFR, serial: domain.serial }),
      );
      expect(difference.records.length).toBeGreaterThan(2);
      expect(await serialAt(port, other.name)).toBe(other.serial);
      const update = await question({ port }, { name: domain.name, type: SOA.code, opcode: 5 });
      expect(rcodeOf(update)).toMatch(/REFUSED|SERVFAIL|FORMERR/);
      // A service whose primary is away hands zones out as well (18.9).
      await until(async () => (await serialAt(servicePort, domain.name)) === serial);
      const ofService = await transfer(servicePort, queryOf({ name: domain.name, type: MetaType.AXFR }));
      expect(ofService.records).toHaveLength(whole.records.length);

      await cluster.postgres.startPrimary();
      await changeWhenServed(domain);
      const { serial: later } = await domain.now();
      await until(() => told(domain) === later);
      server.signal('SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0 });
      expect(server.output().stdout).not.toMatch(/refused|rejected|failed|delayed/i);
    },
  );

  itWith(REPLICATED_POSTGRES)(
    'goes on with a standby that becomes the primary, rather than with one that knows the former one alone',
    async () => {
      const [former, next] = [cluster.postgres.primaryPort, cluster.postgres.standbyPort];
      const service = await cluster.start(environment({ DATABASE__URL: cluster.urlOf(former, next) }));
      const domain = await newDomain(clientsOf(service.url));
      const both = [reader.port, next].map((at) => cluster.urlOf(at)).join(',');
      const server = await startOnStandby({ DATABASE__READ_URLS: both });
      await until(() => told(domain) === domain.serial);
      await cluster.postgres.killPrimary();
      expect(await serialAt(port, domain.name)).toBe(domain.serial);
      await cluster.postgres.promoteStandby();
      expect(await serialAt(port, domain.name)).toBe(domain.serial);
      await changeWhenServed(domain);
      const { serial } = await domain.now();
      await until(() => told(domain) === serial, 20_000);
      const whole = await transfer(port, queryOf({ name: domain.name, type: MetaType.AXFR }));
      expect(whole.records.some(({ owner }) => owner.toString() === domain.at('after'))).toBe(true);
      expect(server.output().stdout).not.toMatch(/refused|rejected|failed|delayed/i);
    },
  );

  itWith(REPLICATED_POSTGRES)('is refused where no standby is named, or none answers', async () => {
    const refused = async (readUrls: string): Promise<string> =>
      (await runCommand(cluster.directory, environment({ DATABASE__READ_URLS: readUrls }), ['mdns', '--standby']))
        .stderr;
    expect(await refused('')).toMatch(/cannot read from any standby of \[database\] read_urls: it names none/);
    const nowhere = 'postgresql://zonewright:secret@127.0.0.1:1/regions';
    expect(await refused(nowhere)).toMatch(/cannot read from any standby of \[database\] read_urls: .*ECONNREFUSED/);
  });
});
