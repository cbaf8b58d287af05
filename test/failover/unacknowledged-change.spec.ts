import { afterEach, beforeEach, describe, expect, jest } from '@jest/globals';
import { newDomain, type TestDomain } from '../support/domain.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { COMMAND_LINE, runCommand, type ServiceProcess } from '../support/process.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { clientsOf, environmentOf } from '../support/service.js';
import { until } from '../support/until.js';
import { FetchingNameServer } from './fetching-name-server.js';
import { ownCluster } from './own-cluster.js';
import { askPostgres, follow, type PostgresServer, REPLICATED_POSTGRES } from './replicated-postgres.js';

jest.setTimeout(120_000);

/** A few zones are all checked within seconds after a failover; otherwise it takes a minute until each has had its turn. */
const SOON = 20_000;
/** As the standby calls itself that commits wait for. */
const WAITED_FOR = 'walreceiver';

const cluster = ownCluster('unacknowledged');
/** Commits do not wait for it. */
let reader: PostgresServer;
let nameServer: FetchingNameServer;

beforeEach(async () => {
  nameServer = await FetchingNameServer.start();
  if (!isInstalled(REPLICATED_POSTGRES)) return;
  const { postgres } = cluster;
  if (!postgres.hasStandby) await postgres.addStandby();
  reader = await postgres.addReader('cluster_name=reader');
  await askPostgres(postgres.primaryPort, `ALTER SYSTEM SET synchronous_standby_names = '${WAITED_FOR}'`);
  await askPostgres(postgres.primaryPort, 'SELECT pg_reload_conf()');
});
afterEach(() => nameServer.stop());

function environment(settings: Record<string, string>): Record<string, string> {
  return environmentOf(cluster.directory, {
    DATABASE__READ_URLS: cluster.urlOf(reader.port),
    DATABASE__MAX_STALENESS: '1000',
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.0/8',
    ...settings,
  });
}

/** In the region of the primary. */
async function startService(settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const port = await freePort();
  const { primaryPort, standbyPort } = cluster.postgres;
  const ofService = {
    DATABASE__URL: cluster.urlOf(primaryPort, standbyPort),
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
  };
  const service = await cluster.start(environment({ ...ofService, ...settings }));
  nameServer.masters.push(port);
  return service;
}

/** The name server of another region, which reads these. */
async function startOnStandby(...ports: readonly number[]): Promise<void> {
  const settings = environment({
    DATABASE__URL: 'sqlite:nowhere/at-all.sqlite',
    DATABASE__READ_URLS: ports.map((port) => cluster.urlOf(port)).join(','),
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: nameServer.address,
  });
  const server = await cluster.start(settings, [COMMAND_LINE, 'mdns', '--standby']);
  nameServer.masters.push(Number(new URL(server.url).port));
}

/**
 * Creates a record that reaches the reader and the name server, but not the promoted standby.
 * @param meanwhile runs before the primary is killed
 */
async function loseWithPrimary(domain: TestDomain, meanwhile?: () => Promise<void>): Promise<void> {
  const { postgres } = cluster;
  const before = (await domain.now()).serial;
  await until(() => nameServer.serialOf(domain.name) === before);
  await follow(postgres.standbyPort, await freePort());
  const standbys = `SELECT 1 FROM pg_stat_replication WHERE application_name = '${WAITED_FOR}'`;
  await until(async () => (await askPostgres(postgres.primaryPort, standbys)).length === 0);
  // It is sent now.
  const answer = domain.create({ name: lostIn(domain), type: 'A', data: '192.0.2.1' }).then(({ status }) => status);
  await until(() => nameServer.namesIn(domain.name).includes(lostIn(domain)));
  await meanwhile?.();
  await postgres.killPrimary();
  await postgres.promoteStandby();
  expect(await answer).toBe(503);
}

const lostIn = (domain: TestDomain): string => domain.at('lost');

/** Names that the service lists in the zone. */
const namesIn = async (domain: TestDomain): Promise<string[]> =>
  (await domain.records()).map(({ name }) => name).filter((name) => name !== domain.name);

describe('12.3, 18.9, 18.10 a change that a standby has shown to name servers, and that is lost with the primary', () => {
  itWith(REPLICATED_POSTGRES)('is soon replaced on name servers, and no other client sees it', async () => {
    const service = await startService({ SERVICE_MDNS__SECONDARIES: nameServer.address });
    const domain = await newDomain(clientsOf(service.url));
    await startOnStandby(reader.port);
    await loseWithPrimary(domain, async () => {
      expect(await domain.export()).toContain('lost');
    });
    const lost = nameServer.serialOf(domain.name);
    await until(async () => (await domain.fetchFile()).status === 200, SOON);
    expect(await domain.export()).not.toContain('lost');
    expect(await namesIn(domain)).not.toContain(lostIn(domain));
    await until(() => nameServer.serialOf(domain.name) > lost, SOON);
    expect(nameServer.namesIn(domain.name)).not.toContain(lostIn(domain));
    expect(nameServer.serialOf(domain.name)).toBe((await domain.now()).serial);
    expect(await domain.export()).not.toContain('lost');
  });

  itWith(REPLICATED_POSTGRES)('is overtaken where name servers are in the region of the standbys alone', async () => {
    const service = await startService({ SERVICE_MDNS__SECONDARIES: nameServer.address });
    const domain = await newDomain(clientsOf(service.url));
    nameServer.masters.length = 0;
    await startOnStandby(reader.port, cluster.postgres.standbyPort);
    await loseWithPrimary(domain);
    await until(() => !nameServer.namesIn(domain.name).includes(lostIn(domain)), SOON);
    expect(nameServer.serialOf(domain.name)).toBe((await domain.now()).serial);
  });

  itWith(REPLICATED_POSTGRES)(
    'is overtaken by zonewright check --raise-serials where another change has got its serial',
    async () => {
      // It does not know that name server, and does not see that it is ahead.
      const service = await startService();
      const domain = await newDomain(clientsOf(service.url));
      nameServer.masters.length = 0;
      await startOnStandby(reader.port, cluster.postgres.standbyPort);
      // More changes than seconds: the serial runs ahead of the time.
      for (let at = 0; at < 100; at += 1) await domain.newRecord({ name: domain.at(`r${at}`) });
      await loseWithPrimary(domain);
      const lost = nameServer.serialOf(domain.name);
      const other = { name: domain.at('other'), type: 'A', data: '192.0.2.2' };
      await until(async () => (await domain.create(other)).status === 200, SOON);
      expect((await domain.now()).serial).toBe(lost);

      const settings = environment({ DATABASE__URL: cluster.urlOf(cluster.postgres.primaryPort) });
      const { code } = await runCommand(cluster.directory, settings, ['check', '--raise-serials']);
      expect(code).toBe(0);
      await until(() => nameServer.serialOf(domain.name) > lost, SOON);
      expect(nameServer.namesIn(domain.name)).toContain(other.name);
      expect(nameServer.namesIn(domain.name)).not.toContain(lostIn(domain));
    },
  );
});
