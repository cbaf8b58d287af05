import { Rcode } from '../../src/dns/message/codes.js';
import { bodyOf } from './answers.js';
import { freshName, newDomain, type TestDomain } from './domain.js';
import { LoopbackDns, type Said, type Says } from './loopback-dns.js';
import { ownAddresses } from './parent-servers.js';
import { type Client, type Settings, startTestService, type TestService } from './service.js';

export interface LiveFinding {
  readonly severity: string;
  readonly name: string;
  readonly type: string;
  readonly kind: string;
  readonly test: string | null;
  readonly message: string;
}

export interface LiveCheck {
  readonly complete: boolean;
  readonly queries: number;
  readonly findings: readonly LiveFinding[];
}

const PORT = 53;
export const PARENT = 'parent.example.';
export const NAME_SERVERS = ['ns1.hoster.example.', 'ns2.hoster.example.'] as const;

/** A service, its resolver, and name servers at port 53 of loopback addresses: those of a parent zone and of its children. */
export class LiveWorld {
  /** What the resolver says, by name and type, or by name alone; NXDOMAIN for others. */
  readonly known = new Map<string, Said>();
  private readonly servers: LoopbackDns[] = [];

  private constructor(
    readonly service: TestService,
    readonly resolver: LoopbackDns,
    readonly addresses: readonly [parent: string, one: string, two: string],
    /** Loopback addresses without a server. */
    readonly free: readonly string[],
  ) {}

  static async start(settings: Settings = {}): Promise<LiveWorld> {
    const [parent = '', one = '', two = '', ...free] = ownAddresses(8);
    const says: { now: Says } = { now: () => null };
    const resolver = await LoopbackDns.start({ address: '127.0.0.1', port: 0 }, (...asked) => says.now(...asked), [
      'TCP',
    ]);
    const service = await startTestService({
      SERVICE_CENTRAL__NAME_SERVERS: NAME_SERVERS.join(', '),
      SERVICE_LIVE_CHECKS__RESOLVER: resolver.address,
      SERVICE_LIVE_CHECKS__ALLOWED_NETWORKS: '127.0.0.0/8',
      ...settings,
    });
    const world = new LiveWorld(service, resolver, [parent, one, two], free);
    says.now = (name, type) => world.resolved(name, type);
    world.known.set(`${PARENT} SOA`, { answers: [`${PARENT} SOA ns.${PARENT} hostmaster.${PARENT} 1 2 3 4 5`] });
    world.known.set(`${PARENT} NS`, { answers: [`${PARENT} NS ns.${PARENT}`] });
    world.host(`ns.${PARENT}`, parent);
    world.host(NAME_SERVERS[0], one);
    world.host(NAME_SERVERS[1], two);
    return world;
  }

  /** A name that has this address. */
  host(name: string, address: string): void {
    this.known.set(`${name} A`, { answers: [`${name} A ${address}`] });
    this.known.set(`${name} AAAA`, {});
  }

  async serve(address: string, says: Says, transports?: readonly ('UDP' | 'TCP')[]): Promise<LoopbackDns> {
    const server = await LoopbackDns.start({ address, port: PORT }, says, transports);
    this.servers.push(server);
    return server;
  }

  /** A domain of which everything is in order, until the test says otherwise. */
  async domain(client: Client = this.service): Promise<TestDomain> {
    return newDomain(client, `${freshName().split('.')[0]}.${PARENT}`);
  }

  /** Serves the domain in order; a test replaces some of the answers. */
  async serveInOrder(
    { name, serial }: { readonly name: string; readonly serial: number },
    other: { readonly parent?: Says; readonly one?: Says; readonly two?: Says } = {},
  ): Promise<void> {
    const child = authoritative(name, serial);
    await this.serve(this.addresses[0], other.parent ?? referral(NAME_SERVERS));
    await this.serve(this.addresses[1], other.one ?? child);
    await this.serve(this.addresses[2], other.two ?? child);
  }

  check(domain: { readonly id: string }, client: Client = this.service): Promise<LiveCheck> {
    return bodyOf<LiveCheck>(client.call('get', `/v1/domains/${domain.id}/live-check`));
  }

  async stopServers(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
  }

  async stop(): Promise<void> {
    await this.stopServers();
    await this.service.stop();
    await this.resolver.stop();
  }

  private resolved(name: string, type: string): Said {
    const key = [`${name} ${type}`, name].find((one) => this.known.has(one));
    // `null` is silence.
    return key === undefined ? { rcode: Rcode.NXDOMAIN } : (this.known.get(key) ?? null);
  }
}

/** A parent server that delegates to these, with glue as `name A address`. */
export function referral(names: readonly string[], glue: readonly string[] = [], ds: readonly string[] = []): Says {
  return (name, type) => {
    if (type === 'DS') return { answers: ds.map((data) => `${name} DS ${data}`) };
    return { isAuthoritative: false, authorities: names.map((one) => `${name} NS ${one}`), additionals: glue };
  };
}

/** A name server with this serial of the domain. */
export function authoritative(name: string, serial: number, keys: readonly string[] = []): Says {
  return (_, type) => {
    if (type === 'SOA')
      return { answers: [`${name} SOA ns1.hoster.example. hostmaster.example.org. ${serial} 2 3 4 5`] };
    return { answers: type === 'DNSKEY' ? keys.map((data) => `${name} DNSKEY ${data}`) : [] };
  };
}

export function kindsOf({ findings }: LiveCheck): string[] {
  return findings.map(({ kind }) => kind);
}
