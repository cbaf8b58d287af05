import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DOCUMENTED_KEY,
  freePort,
  type NameServer,
  nameServer,
  type NameServerName,
  nsdControlCommand,
  serialOf,
  serviceConfiguration,
  startUdpRelay,
  type UdpRelay,
} from '../support/name-servers/name-servers.js';
import { startTransferTap, type TransferTap } from '../support/name-servers/transfer-tap.js';
import { killAll, runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { type Clients, clientsOf, environmentOf, removeTestData, type Settings } from '../support/service.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { expectOnServer } from './transferred.js';
import { TestDomain } from '../support/domain.js';

/** Long enough for PowerDNS, which looks for work once a second, on a busy machine. */
const PATIENCE = 40_000;
const POLL = 5;
/** Characters of a server's log in a message. */
const SHOWN_LOG = 4000;

export interface PoolServer extends NameServer {
  /** The datagrams of the service to the server pass here. */
  readonly relay: UdpRelay;
  /** At the port of the relay too. */
  readonly connections: TcpProxy;
}

export interface PoolPlan {
  readonly directory: string;
  readonly servers: readonly NameServerName[];
  /** Secrets by server name, where different from the document. */
  readonly secrets?: Partial<Record<NameServerName, string>>;
  /** Zones without final dot that every server configures explicitly. */
  readonly zones?: readonly string[];
  readonly settings?: Settings;
}

export interface SecondService {
  readonly clients: Clients;
  /** For DNS. */
  readonly port: number;
}

/** A service process with name servers that transfer its zones, as in docs/publishing.md. */
export class Pool {
  private service: ServiceProcess | undefined;
  private second: ServiceProcess | undefined;

  private constructor(
    readonly clients: Clients,
    readonly servers: readonly PoolServer[],
    readonly tap: TransferTap,
    /** The service's own port for DNS. */
    readonly port: number,
    private readonly directory: string,
    readonly environment: Record<string, string>,
  ) {}

  static async start({ directory, servers: names, secrets = {}, settings, zones = [] }: PoolPlan): Promise<Pool> {
    const [api, port] = [await freePort(), await freePort()];
    const tap = await startTransferTap(port);
    const servers = await Promise.all(
      names.map(async (name): Promise<PoolServer> => {
        const server = await nameServer(name, { directory, primary: tap.port, secret: secrets[name], zones });
        const relay = await startUdpRelay(server.port);
        return Object.assign(server, { relay, connections: await startTcpProxy(server.port, relay.port) });
      }),
    );
    // The service accepts a TSIG key only if a secondary has it, so a pool without name servers has a silent secondary.
    const ports = servers.length > 0 ? servers.map(({ relay }) => relay.port) : [await freePort()];
    const secondaries = ports.map((secondary) => `127.0.0.1:${secondary}@${DOCUMENTED_KEY}`).join(',');
    await writeFile(
      join(directory, 'zonewright.conf'),
      serviceConfiguration({ primary: port, secondaries, directory }),
    );
    const own = { SERVICE_API__LISTEN: `127.0.0.1:${api}`, DEFAULT__QUOTA_API_EXPORT_SIZE: '1000000' };
    const environment = environmentOf(directory, { ...own, ...settings });
    const pool = new Pool(clientsOf(`http://127.0.0.1:${api}`), servers, tap, port, directory, environment);
    // A name server without a primary retries only after seconds.
    await pool.startService();
    await Promise.all(servers.map((server) => server.start()));
    return pool;
  }

  server(name: NameServerName): PoolServer {
    const found = this.servers.find((server) => server.name === name);
    if (found === undefined) throw new Error(`the pool has no ${name}`);
    return found;
  }

  /** The pid of the first process. */
  get pid(): number {
    return this.service?.pid ?? 0;
  }

  async startService(): Promise<void> {
    this.service = await startServiceProcess(this.directory, this.environment);
  }

  /** Starts another process on the database, with other ports. */
  async startSecondService(): Promise<SecondService> {
    const [api, port] = [await freePort(), await freePort()];
    const own = { SERVICE_API__LISTEN: `127.0.0.1:${api}`, SERVICE_MDNS__LISTEN: `127.0.0.1:${port}` };
    const environment = Object.entries(own).map(([option, value]) => [`ZONEWRIGHT_${option}`, value] as const);
    this.second = await startServiceProcess(this.directory, {
      ...this.environment,
      ...Object.fromEntries(environment),
    });
    return { clients: clientsOf(this.second.url), port };
  }

  /** kill -9; resolves when its ports are free. */
  async killService(): Promise<void> {
    if (this.service === undefined) return;
    killAll(this.service);
    await this.service.ended;
  }

  /** The service output since its last start. */
  said(): string {
    const { stdout = '', stderr = '' } = this.service?.output() ?? {};
    return stdout + stderr;
  }

  /** `zonewright …` for this service. */
  command(...args: string[]): ReturnType<typeof runCommand> {
    return runCommand(this.directory, this.environment, args);
  }

  /** Configures the zones of the service in NSD, which has no catalog zone support. */
  async syncNsd(): Promise<void> {
    const nsd = this.servers.find(({ name }) => name === 'NSD');
    if (nsd === undefined) return;
    const options = ['--pattern', 'zonewright', '--control', nsdControlCommand(nsd)];
    const { stderr, code } = await this.command('pool', 'sync', ...options);
    if (code !== 0) throw new Error(stderr);
  }

  /** Resolves when all of these servers serve the domain as it stands now; how long each took, in milliseconds. */
  async served(domain: TestDomain, servers = this.servers): Promise<Record<string, number>> {
    const { serial } = await domain.now();
    const began = performance.now();
    const waits = servers.map(async (server) => {
      const isServed = async (): Promise<boolean> => (await serialOf(server.port, domain.name)) === serial;
      await until(`${server.name} serves ${domain.name} ${serial}`, isServed).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${this.said()}\n${server.log.slice(-SHOWN_LOG)}`);
      });
      return [server.name, performance.now() - began] as const;
    });
    return Object.fromEntries(await Promise.all(waits));
  }

  /** Each server's copy of the domain is its export, record for record and TTL for TTL. */
  async expectExport(domain: TestDomain, servers = this.servers): Promise<void> {
    await this.served(domain, servers);
    const exported = await domain.export();
    await Promise.all(servers.map((server) => expectOnServer(server, domain.name, exported)));
  }

  async stop(): Promise<void> {
    await this.killService();
    if (this.second !== undefined) {
      killAll(this.second);
      await this.second.ended;
    }
    await Promise.all(this.servers.map((server) => server.stop()));
    for (const { relay } of this.servers) relay.close();
    await Promise.all(this.servers.map(({ connections }) => connections.close()));
    await this.tap.close();
    await removeTestData(this.directory);
  }
}

/** Resolves when it is so. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE} ms: ${what}`);
    await delay(POLL);
  }
}
