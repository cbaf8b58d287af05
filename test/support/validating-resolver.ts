import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Daemon } from './name-servers/daemon.js';
import { freePort } from './name-servers/name-servers.js';
import { type Program, run } from './run-program.js';

export const UNBOUND: Program = {
  name: 'unbound',
  needs: { unbound: 'unbound', 'unbound-checkconf': 'unbound', dig: 'bind9-dnsutils' },
};

/** Trust anchors and servers of a resolver. */
interface ResolverPlan {
  readonly directory: string;
  /** A DS record of the zone that everything hangs from, as text. */
  readonly anchor: string;
  /** All zones that it asks for, without final dot. */
  readonly zones: readonly string[];
  /** Name servers of all the zones, as `127.0.0.1@5300`. */
  readonly servers: readonly string[];
  /** Name servers of a zone that has others, by its name without final dot. */
  readonly serversOf?: Readonly<Record<string, readonly string[]>>;
  /** A free one by default. */
  readonly port?: number;
  /** How often it asks again after a bogus answer, 5 times by default. */
  readonly retries?: number;
}

/** The verdict of a validating resolver for a query; unresponsive name servers do not cause bogus. */
export type Verdict = 'secure' | 'insecure' | 'bogus' | `no answer: ${string}`;

/** unbound, as a provider of access has it: it validates, and forgets after a second. */
export class ValidatingResolver {
  private constructor(
    private readonly daemon: Daemon,
    /** On 127.0.0.1. */
    readonly port: number,
  ) {}

  static async start(plan: ResolverPlan): Promise<ValidatingResolver> {
    const { port = await freePort() } = plan;
    const directory = await mkdtemp(join(plan.directory, 'unbound-'));
    const file = join(directory, 'unbound.conf');
    await writeFile(file, configuration({ ...plan, directory }, port));
    const answers = async (): Promise<boolean> => /status: \w+/.test(await ask(port, plan.zones[0] ?? '.', 'SOA'));
    const daemon = new Daemon(['unbound', '-d', '-d', '-c', file], answers);
    await daemon.start();
    return new ValidatingResolver(daemon, port);
  }

  async verdictOn(name: string, type: string): Promise<Verdict> {
    const answer = await ask(this.port, name, type);
    const status = /status: (\w+)/.exec(answer)?.[1] ?? '';
    if (status === 'SERVFAIL' && isBogus(answer)) return 'bogus';
    if (status !== 'NOERROR' && status !== 'NXDOMAIN') return `no answer: ${answer}`;
    return /;; flags:[^;]* ad\b/.test(answer) ? 'secure' : 'insecure';
  }

  /** The reasons for its refusals. */
  get log(): string {
    return this.daemon.log;
  }

  stop(): Promise<void> {
    return this.daemon.stop();
  }
}

/** RFC 8914 §4.7 to §4.13: bogus reasons, from "DNSSEC Bogus" to "NSEC Missing". */
function isBogus(answer: string): boolean {
  const codes = [...answer.matchAll(/^; EDE: (\d+)\b/gm)].map(([, code]) => Number(code));
  return codes.some((code) => code >= 6 && code <= 12);
}

async function ask(port: number, name: string, type: string): Promise<string> {
  const { output } = await run('dig', ['@127.0.0.1', '-p', String(port), '+adflag', '+tries=2', '+time=5', name, type]);
  return output;
}

function configuration(plan: ResolverPlan, own: number): string {
  const { directory, anchor, zones, servers, serversOf = {}, retries = 5 } = plan;
  const addressesOf = (zone: string): string =>
    (serversOf[zone] ?? servers).map((server) => `  stub-addr: ${server}\n`).join('');
  const stubs = zones.map((zone) => `stub-zone:\n  name: "${zone}"\n${addressesOf(zone)}`);
  return `server:
  interface: 127.0.0.1
  port: ${own}
  directory: "${directory}"
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  logfile: ""
  verbosity: 1
  val-log-level: 2
  ede: yes
  num-threads: 1
  do-ip6: no
  do-not-query-localhost: no
  module-config: "validator iterator"
  trust-anchor: "${anchor}"
  trust-anchor-signaling: no
  root-key-sentinel: no
  cache-max-ttl: 1
  cache-max-negative-ttl: 1
  val-bogus-ttl: 1
  val-max-restart: ${retries}
  infra-host-ttl: 1
  aggressive-nsec: no
  qname-minimisation: no
  harden-algo-downgrade: yes
remote-control:
  control-enable: no
${stubs.join('')}`;
}
