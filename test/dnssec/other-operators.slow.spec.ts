import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { serversOf } from '../publishing/software.js';
import { freshName, type TestDomain } from '../support/domain.js';
import { IS_LONG, times } from '../support/length.js';
import { Daemon } from '../support/name-servers/daemon.js';
import { freePort, NEEDS } from '../support/name-servers/name-servers.js';
import { isInstalled, itWith, type Program, run, withFile } from '../support/run-program.js';
import { until } from '../support/until.js';
import { UNBOUND } from '../support/validating-resolver.js';
import { dsCountOf, Operator, Resolvers, TTL } from './operators.js';

const OURS = ['BIND', 'Knot'] as const;
const HERE: Program = { name: 'unbound', needs: { ...serversOf(OURS).needs, ...UNBOUND.needs } };
const TIMEOUT = times(180_000, 900_000);
/** Questions to each resolver while both sign, at least. */
const ROUNDS = times(10, 150);
/** How long the leaving operator may be asked, in seconds. */
const NS_TTL = 2;

/** The steps in which the service is killed. */
interface Kills {
  readonly join: readonly string[];
  readonly leave: readonly string[];
}

const ALL_KILLS: Kills = { join: ['publish', 'swap'], leave: ['withdraw', 'swap', 'remove'] };

interface Place {
  /** Without final dot. */
  readonly zone: string;
  /** On 127.0.0.1. */
  readonly port: number;
  /** It has the zone without signatures, in the file `zone`. */
  readonly directory: string;
}

/** A record at the apex. */
type Line = readonly [type: string, data: string];

/** A program that signs a domain with its own keys, and publishes keys of another signer as docs/dnssec.md says. */
interface Signer extends Program {
  /** In short runs; each step is covered by one program. */
  readonly kills: Kills;
  /** Returns the command that serves the zone. */
  configure(place: Place): Promise<[string, ...string[]]>;
  add(place: Place, lines: readonly Line[]): Promise<void>;
  remove(place: Place, lines: readonly Line[]): Promise<void>;
}

const SIGNERS: readonly Signer[] = [
  {
    name: 'BIND',
    needs: { ...NEEDS.BIND, nsupdate: 'bind9-dnsutils' },
    kills: { join: ['swap'], leave: [] },
    configure: async ({ zone, port, directory }) => {
      const file = await written(
        join(directory, 'named.conf'),
        `options {
  directory "${directory}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file none; session-keyfile none; lock-file none;
  recursion no; notify no; dnssec-validation no;
};
controls { };
dnssec-policy "other" {
  keys { ksk lifetime unlimited algorithm ecdsap256sha256; zsk lifetime unlimited algorithm ecdsap256sha256; };
  dnskey-ttl ${TTL}; max-zone-ttl ${TTL}; parent-ds-ttl ${TTL};
  publish-safety 0; retire-safety 0; zone-propagation-delay 0; parent-propagation-delay 0;
};
zone "${zone}" { type primary; file "zone"; allow-update { 127.0.0.1; }; dnssec-policy "other"; };
`,
      );
      return ['named', '-g', '-n', '1', '-c', file];
    },
    add: updateWith('add'),
    remove: updateWith('delete'),
  },
  {
    name: 'Knot',
    needs: { ...NEEDS.Knot, nsupdate: 'bind9-dnsutils' },
    kills: { join: [], leave: ['withdraw'] },
    configure: async ({ zone, port, directory }) => {
      const file = await written(
        join(directory, 'knot.conf'),
        `server:
  rundir: ${directory}
  listen: 127.0.0.1@${port}
log:
  - target: stderr
    any: info
database:
  storage: ${directory}
acl:
  - id: updates
    address: 127.0.0.1
    action: update
policy:
  - id: other
    algorithm: ecdsap256sha256
    dnskey-ttl: ${TTL}
    cds-cdnskey-publish: always
    dnskey-management: incremental
    delete-delay: 1d
zone:
  - domain: ${zone}
    file: ${join(directory, 'zone')}
    zonefile-sync: -1
    acl: updates
    dnssec-signing: on
    dnssec-policy: other
`,
      );
      return ['knotd', '-c', file];
    },
    add: updateWith('add'),
    remove: updateWith('delete'),
  },
  {
    name: 'PowerDNS',
    needs: { ...NEEDS.PowerDNS, pdnsutil: 'pdns-server', sqlite3: 'sqlite3' },
    kills: { join: [], leave: ['swap'] },
    configure: async (place) => {
      const { zone, port, directory } = place;
      const database = join(directory, 'pdns.sqlite3');
      await succeed('sqlite3', database, `.read ${POWERDNS_SCHEMA}`);
      await written(
        join(directory, 'pdns.conf'),
        `launch=gsqlite3
gsqlite3-database=${database}
gsqlite3-dnssec=yes
direct-dnskey=yes
local-address=127.0.0.1
local-port=${port}
socket-dir=${directory}
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
security-poll-suffix=
disable-syslog=yes
write-pid=no
`,
      );
      await pdnsutil(place, 'load-zone', zone, join(directory, 'zone'));
      for (const command of ['secure-zone', 'rectify-zone', 'set-publish-cds', 'set-publish-cdnskey'])
        await pdnsutil(place, command, zone);
      return ['pdns_server', `--config-dir=${directory}`, '--daemon=no', '--guardian=no'];
    },
    add: async (place, lines) => {
      for (const [type, data] of lines) await pdnsutil(place, 'add-record', place.zone, '', type, String(TTL), data);
    },
    remove: async (place, lines) => {
      const types = new Set(lines.map(([type]) => type));
      for (const type of types) await pdnsutil(place, 'delete-rrset', place.zone, '', type);
    },
  },
];

const POWERDNS_SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';

function pdnsutil({ directory }: Place, ...args: readonly string[]): Promise<void> {
  return succeed('pdnsutil', `--config-dir=${directory}`, ...args);
}

function updateWith(verb: 'add' | 'delete'): Signer['add'] {
  return ({ zone, port }, lines) => {
    const updates = lines.map(([type, data]) => `update ${verb} ${zone}. ${TTL} ${type} ${data}`);
    const script = [`server 127.0.0.1 ${port}`, `zone ${zone}.`, ...updates, 'send', ''];
    return withFile(script.join('\n'), (file) => succeed('nsupdate', file));
  };
}

async function written(file: string, text: string): Promise<string> {
  await writeFile(file, text);
  return file;
}

async function succeed(command: string, ...args: readonly string[]): Promise<void> {
  const { failed, output } = await run(command, args);
  if (failed) throw new Error(`${command} ${args.join(' ')}: ${output}`);
}

let here: Operator;
let parent: TestDomain;
const children = new Map<Signer, TestDomain>();
beforeAll(async () => {
  here = await Operator.start(OURS, HERE);
  if (!isInstalled(HERE)) return;
  parent = await here.newDomain(freshName());
  for (const signer of SIGNERS) {
    const child = await here.newDomain(parent.at(signer.name.toLowerCase()));
    await parent.newRecord({ name: child.name, type: 'NS', data: 'ns1.example.net.' });
    children.set(signer, child);
  }
  const all = [...children.values()];
  await Promise.all([parent, ...all].map((domain) => here.sign(domain)));
  await Promise.all(all.map((domain) => here.untilSecure(domain)));
}, TIMEOUT);
afterAll(() => here.pool.stop());

/** The signed domain at another operator. */
class OtherOperator {
  private constructor(
    private readonly signer: Signer,
    private readonly place: Place,
    private readonly daemon: Daemon,
  ) {}

  static async start(signer: Signer, child: TestDomain): Promise<OtherOperator> {
    const place: Place = {
      zone: child.name.slice(0, -1),
      port: await freePort(),
      directory: join(here.directory, `other-${signer.name}`),
    };
    await mkdir(place.directory);
    await writeFile(join(place.directory, 'zone'), await child.export());
    const isSigned = async (): Promise<boolean> =>
      /^A 13 /m.test(await dig(place.port, '+dnssec', child.at('www'), 'A'));
    const daemon = new Daemon(await signer.configure(place), isSigned);
    await daemon.start();
    return new OtherOperator(signer, place, daemon);
  }

  get address(): string {
    return `127.0.0.1@${this.place.port}`;
  }

  lines(): Promise<Line[]> {
    return linesAt(this.place.port, this.place.zone);
  }

  add(lines: readonly Line[]): Promise<void> {
    return this.signer.add(this.place, lines);
  }

  remove(lines: readonly Line[]): Promise<void> {
    return this.signer.remove(this.place, lines);
  }

  stop(): Promise<void> {
    return this.daemon.stop();
  }
}

/** The keys in an answer of a name server, and the records that ask for a DS. */
async function linesAt(port: number, zone: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (const type of ['DNSKEY', 'CDNSKEY', 'CDS']) {
    const data = (await dig(port, zone, type)).split('\n').filter((line) => /^\d/.test(line));
    lines.push(...data.sort().map((line): Line => [type, line]));
  }
  return lines;
}

async function dig(port: number, ...question: readonly string[]): Promise<string> {
  return (await run('dig', ['@127.0.0.1', '-p', String(port), '+short', '+nosplit', '+tries=2', ...question])).stdout;
}

/** Resolves when the rollover is over. */
async function rolled(child: TestDomain, body: object, kills: readonly string[]): Promise<void> {
  await here.roll(child, body);
  for (const step of kills) await here.killIn(child, step);
  await here.untilOver(child);
}

const keysIn = (lines: readonly Line[]): string[] => lines.flatMap(([type, data]) => (type === 'DNSKEY' ? [data] : []));

for (const signer of SIGNERS)
  itWith({ name: signer.name, needs: { ...HERE.needs, ...signer.needs } })(
    `23.18: ${signer.name} joins and leaves as another signer, and unbound finds no answer bogus, whichever operator answers`,
    async () => {
      const child = children.get(signer)!;
      const kills = IS_LONG ? ALL_KILLS : signer.kills;
      const ports = here.pool.servers.map(({ port }) => port);
      const ours = await linesAt(ports[0]!, child.name);
      const other = await OtherOperator.start(signer, child);
      const resolvers = await Resolvers.of(here, parent, child);
      try {
        const first = await resolvers.watch(here.addresses);
        await first.rounds(1);
        const theirs = keysIn(await other.lines());
        const anchor = `${child.name} IN DNSKEY ${theirs.find((key) => key.startsWith('257 '))}`;
        const verdict = async (trusted?: string): Promise<string> =>
          (await resolvers.start([other.address], trusted)).verdictOn(child.at('www'), 'A');
        // The other operator signs validly, but no DS in the parent zone leads to its keys.
        expect([await verdict(anchor), await verdict()]).toEqual(['secure', 'bogus']);

        const joined = rolled(child, { key: 'join', signer: 'other', dnskeys: theirs }, kills.join);
        await Promise.all([joined, other.add(ours)]);
        // A parent zone with CDS checks needs the same set from all name servers.
        await until(async () => {
          const [wanted, ...sets] = await Promise.all([
            other.lines(),
            ...ports.map((port) => linesAt(port, child.name)),
          ]);
          return sets.every((set) => String(set) === String(wanted));
        });
        // Half of the DNSKEY sets and half of the signatures come from each operator.
        const both = await resolvers.watch([here.addresses[0]!, other.address]);
        const there = await resolvers.watch([other.address]);
        await Promise.all([first, both, there].map((watch) => watch.rounds(ROUNDS)));

        // No resolver asks the other operator any more.
        await both.end();
        await there.end();
        await rolled(child, { key: 'leave', signer: 'other', ttl: NS_TTL }, kills.leave);
        await first.rounds(2);
        expect(await Promise.all(ports.map((port) => linesAt(port, child.name)))).toEqual(ports.map(() => ours));
        expect([await dsCountOf(parent, child), await verdict()]).toEqual([1, 'bogus']);
        await other.remove(ours);
        await until(async () => String(keysIn(await other.lines())) === String(theirs));
      } finally {
        await resolvers.stop();
        await other.stop();
      }
      resolvers.expectSecure(signer.name);
    },
    TIMEOUT,
  );
