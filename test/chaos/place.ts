import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LibcTrouble } from '../abuse/libc-trouble.js';
import { PatroniCluster } from '../failover/patroni-cluster.js';
import {
  DOCUMENTED_KEY,
  freePort,
  type NameServer,
  nameServer,
  type NameServerName,
  nsdControlCommand,
  serviceConfiguration,
  startUdpRelay,
  type UdpRelay,
} from '../support/name-servers/name-servers.js';
import { runCommand } from '../support/process.js';
import { environmentOf } from '../support/service.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { Disks } from './disks.js';
import { Host } from './host.js';
import { LIMIT } from './writers.js';

const SERVERS: readonly NameServerName[] = ['BIND', 'Knot', 'NSD', 'PowerDNS'];
const WORKERS = 2;

export interface Secondary extends NameServer {
  readonly relay: UdpRelay;
}

/** A primary and two standbys, two hosts with two workers each, and four name servers. */
export class Place {
  private constructor(
    readonly cluster: PatroniCluster,
    readonly disks: Disks,
    /** The second one reaches the database by `network` alone. */
    readonly hosts: readonly [Host, Host],
    readonly network: TcpProxy,
    readonly secondaries: readonly Secondary[],
    private readonly directory: string,
    private readonly environment: Record<string, string>,
  ) {}

  static async start(directory: string, trouble: LibcTrouble): Promise<Place> {
    const disks = new Disks(join(directory, 'cluster'), trouble);
    try {
      return await Place.startOn(disks, directory, trouble);
    } catch (error) {
      disks.remove();
      throw error;
    }
  }

  private static async startOn(disks: Disks, directory: string, trouble: LibcTrouble): Promise<Place> {
    const cluster = await PatroniCluster.start(join(directory, 'cluster'), disks.programs);
    await cluster.configure({ postgresql: { parameters: { max_wal_size: '256MB' } } });
    const network = await startTcpProxy(Number(new URL(cluster.proxyUrl).port));
    const ports = [await freePort(), await freePort()] as const;
    const secondaries = await Promise.all(SERVERS.map((name) => secondary(name, directory, ports[0])));
    const urls = [cluster.url, cluster.proxyUrl.replace(/:\d+\//, `:${network.port}/`)] as const;
    const makeHost = async (at: 0 | 1): Promise<readonly [Host, Record<string, string>]> => {
      const home = join(directory, `host${at}`);
      await mkdir(home);
      const configuration = { primary: ports[at], secondaries: listed(secondaries), directory: home };
      await writeFile(join(home, 'zonewright.conf'), serviceConfiguration(configuration));
      const api = await freePort();
      const clock = join(home, 'clock');
      const environment = {
        ...environmentOf(home, {
          DATABASE__URL: urls[at],
          SERVICE_API__LISTEN: `127.0.0.1:${api}`,
          SERVICE_API__WORKERS: String(WORKERS),
          DEFAULT__QUOTA_RECORDSET_RECORDS: String(LIMIT),
          // An hour of all writers is of one tenant.
          SERVICE_API__MAX_KEPT_ANSWERS: '1GiB',
        }),
        ...trouble.clockBy(clock),
      };
      return [new Host(`http://127.0.0.1:${api}`, home, environment, clock), environment];
    };
    const [[first, environment], [second]] = [await makeHost(0), await makeHost(1)];
    const place = new Place(
      cluster,
      disks,
      [first, second],
      network,
      secondaries,
      join(directory, 'host0'),
      environment,
    );
    for (const host of place.hosts) await host.start();
    await Promise.all(secondaries.map((server) => server.start()));
    return place;
  }

  /** Configures the zones of the service in NSD, which has no catalog zone support. */
  async syncNsd(): Promise<void> {
    const nsd = this.secondaries.find(({ name }) => name === 'NSD');
    if (nsd === undefined) return;
    const options = ['--pattern', 'zonewright', '--control', nsdControlCommand(nsd)];
    const { stderr, code } = await runCommand(this.directory, this.environment, ['pool', 'sync', ...options]);
    if (code !== 0) throw new Error(stderr);
  }

  async stop(): Promise<void> {
    for (const host of this.hosts) await host.kill();
    await Promise.all(this.secondaries.map((server) => server.stop('SIGKILL')));
    for (const { relay } of this.secondaries) relay.close();
    await this.network.close();
    await this.cluster.stop();
    this.disks.remove();
  }
}

async function secondary(name: NameServerName, directory: string, primary: number): Promise<Secondary> {
  const server = await nameServer(name, { directory, primary });
  return Object.assign(server, { relay: await startUdpRelay(server.port) });
}

function listed(secondaries: readonly Secondary[]): string {
  return secondaries.map(({ relay }) => `127.0.0.1:${relay.port}@${DOCUMENTED_KEY}`).join(',');
}
