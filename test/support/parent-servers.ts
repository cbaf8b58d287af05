import { once } from 'node:events';
import { createSocket, type Socket } from 'node:dgram';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket as TcpSocket } from 'node:net';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';
import type { Message } from '../../src/dns/message/message.js';
import { responseHeader } from '../../src/dns/message/header.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { writeMessage } from '../../src/dns/message/message-writer.js';
import { Daemon } from './name-servers/daemon.js';
import { type Itself, itWith, itWithout, type Program, run } from './run-program.js';
import { until } from './until.js';

/** To sign a zone, and to serve it at port 53 of loopback addresses. */
export const PARENT_SERVERS: Program = {
  name: 'knotd and NSD with dnssec-signzone',
  needs: {
    ...{ knotd: 'knot', nsd: 'nsd', dig: 'bind9-dnsutils' },
    ...{ 'dnssec-signzone': 'bind9-utils', 'dnssec-keygen': 'bind9-utils' },
  },
};

/** Only root may listen at port 53, at which parents are asked. */
export const MAY_LISTEN_AT_53 = process.getuid?.() === 0;

/** `it` where that is so, and the programs, if any, are there. */
export function itAtPort53(programs?: Program): Itself {
  if (!MAY_LISTEN_AT_53) return itWithout('port 53 of loopback addresses is for root alone: run this test as root');
  return programs === undefined ? it : itWith(programs);
}

/** The DNS port of name servers. */
const PORT = 53;

/** Loopback addresses that no other test has. */
export function ownAddresses(count: number): string[] {
  const [second, third] = [randomInt(64, 250), randomInt(1, 250)];
  return Array.from({ length: count }, (_, at) => `127.${second}.${third}.${at + 1}`);
}

/** A signed parent zone on foreign name servers, each with possibly different contents. */
export class ParentZone {
  private serial = 1;

  private constructor(
    /** Without final dot. */
    readonly name: string,
    readonly addresses: readonly string[],
    /** The trust anchor for resolvers. */
    readonly anchor: string,
    private readonly directory: string,
    private readonly daemons: readonly Daemon[],
    private readonly lines: readonly string[],
  ) {}

  /** @param lines zone lines without SOA and NS */
  static async start(name: string, addresses: readonly string[], lines: readonly string[]): Promise<ParentZone> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-parent-'));
    await runIn('dnssec-keygen', ['-q', '-K', directory, '-a', '13', '-f', 'KSK', name]);
    await runIn('dnssec-keygen', ['-q', '-K', directory, '-a', '13', name]);
    const daemons: Daemon[] = [];
    for (const [at, address] of addresses.entries()) {
      const own = join(directory, address);
      await mkdir(own);
      const { command, configuration } = at % 2 === 0 ? KNOT : NSD;
      await writeFile(join(own, 'conf'), configuration(name, own, address));
      const isReady = async (): Promise<boolean> => (await serialAt(name, address)) !== null;
      daemons.push(new Daemon([...command, '-c', join(own, 'conf')], isReady));
    }
    const anchor = { text: '' };
    const zone = new ParentZone(name, addresses, '', directory, daemons, lines);
    for (const address of addresses) anchor.text = await zone.write(address, []);
    await Promise.all(daemons.map((daemon) => daemon.start()));
    return Object.assign(zone, { anchor: anchor.text });
  }

  /** That server has these DS lines of children, from now on. */
  async serve(address: string, ds: readonly string[]): Promise<void> {
    this.serial += 1;
    const serial = this.serial;
    await this.write(address, ds);
    const at = this.addresses.indexOf(address);
    process.kill(this.daemons[at]!.pid, 'SIGHUP');
    await until(async () => (await serialAt(this.name, address)) === serial);
  }

  async serveAll(ds: readonly string[]): Promise<void> {
    for (const address of this.addresses) await this.serve(address, ds);
  }

  async stop(): Promise<void> {
    await Promise.all(this.daemons.map((daemon) => daemon.stop()));
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Returns the DS of the zone itself. */
  private async write(address: string, ds: readonly string[]): Promise<string> {
    const own = join(this.directory, address);
    const names = this.addresses.map((_, at) => `ns${at + 1}.${this.name}.`);
    const zone = [
      `${this.name}. 300 SOA ${names[0]} hostmaster.${this.name}. ${this.serial} 3600 600 1209600 5`,
      ...names.map((server) => `${this.name}. 300 NS ${server}`),
      ...this.addresses.map((one, at) => `ns${at + 1}.${this.name}. 300 A ${one}`),
      ...this.lines,
      ...ds,
    ];
    await writeFile(join(own, 'unsigned'), `${zone.join('\n')}\n`);
    const place = ['-S', '-K', this.directory, '-d', own, '-f', join(own, 'zone')];
    await runIn('dnssec-signzone', [...place, '-o', this.name, join(own, 'unsigned')]);
    await writeFile(join(own, 'zone'), inGenericForm(await readFile(join(own, 'zone'), 'utf8')));
    const anchors = await readFile(join(own, `dsset-${this.name}.`), 'utf8');
    return anchors.trim().split('\n')[0] ?? '';
  }
}

/** Another address of a server. It forwards TCP queries, one for each connection as the service sends them. */
export class CountedServer {
  /** When it was asked, in milliseconds of the monotonic clock. */
  readonly asked: number[] = [];
  /** Otherwise it takes questions, and is silent. */
  isAnswering = true;
  private readonly sockets = new Set<TcpSocket>();

  private constructor(
    private readonly target: string,
    private readonly listener: Server,
  ) {}

  /** @param target the address of the server that answers */
  static async start(address: string, target: string): Promise<CountedServer> {
    const listener = createServer();
    const server = new CountedServer(target, listener);
    listener.on('connection', (client) => server.take(client));
    await once(listener.listen(PORT, address), 'listening');
    return server;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await once(this.listener.close(), 'close');
  }

  private take(client: TcpSocket): void {
    this.asked.push(performance.now());
    this.keep(client);
    if (!this.isAnswering) return;
    const server = connect(PORT, this.target);
    this.keep(server);
    client.pipe(server).pipe(client);
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  }

  private keep(socket: TcpSocket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

/** Records NOTIFYs at a port of a loopback address. */
export class NotifyListener {
  readonly heard: Message[] = [];

  private constructor(
    private readonly socket: Socket,
    /** Whether it says so. */
    public isAnswering: boolean,
  ) {}

  static async start(address: string): Promise<NotifyListener> {
    const socket = createSocket('udp4');
    await once(socket.bind(0, address), 'listening');
    const listener = new NotifyListener(socket, true);
    socket.on('message', (octets, from) => {
      const message = readMessage(octets);
      listener.heard.push(message);
      const answer = { header: responseHeader(message.header, 0), questions: message.questions };
      if (listener.isAnswering) socket.send(writeMessage(answer), from.port, from.address);
    });
    return listener;
  }

  get port(): number {
    return this.socket.address().port;
  }

  stop(): void {
    this.socket.close();
  }
}

/** RDATA of DSYNC (RFC 9859 §2.1) as any program reads it: NOTIFY of CDS to that port of that name. */
export function dsyncLine(owner: string, port: number, target: string): string {
  const labels = target.split('.').filter((label) => label !== '');
  const name = [...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)), Buffer.of(0)];
  const rdata = Buffer.concat([Buffer.of(0, 59, 1, port >> 8, port & 0xff), ...name]);
  return `${owner} 300 TYPE66 \\# ${rdata.length} ${rdata.toString('hex')}`;
}

/** knotd 3.2 and NSD 4.6 do not know the name of DSYNC, by which dnssec-signzone writes it. */
function inGenericForm(zone: string): string {
  return zone
    .replace(/DSYNC\tCDS NOTIFY (\d+) (\S+)/g, (_, port: string, target: string) =>
      dsyncLine('', Number(port), target).replace(/^.*TYPE66 /, 'TYPE66\t'),
    )
    .replace(/\bDSYNC\b/g, 'TYPE66');
}

async function serialAt(name: string, address: string): Promise<number | null> {
  const { stdout } = await run('dig', [
    `@${address}`,
    '-p',
    String(PORT),
    '+norec',
    '+tries=1',
    '+time=2',
    '+short',
    name,
    'SOA',
  ]);
  const serial = stdout.split(' ')[2];
  return serial === undefined ? null : Number(serial);
}

async function runIn(command: string, parameters: readonly string[]): Promise<void> {
  const { failed, output } = await run(command, parameters);
  if (failed) throw new Error(`${command}: ${output}`);
}

interface Software {
  readonly command: readonly [string, ...string[]];
  configuration(name: string, directory: string, address: string): string;
}

/** Both read the file of a zone anew at SIGHUP. */
const KNOT: Software = {
  command: ['knotd'],
  configuration: (name, directory, address) => `
server:
    rundir: "${directory}"
    listen: ${address}@${PORT}
database:
    storage: "${directory}"
zone:
  - domain: ${name}
    file: "${join(directory, 'zone')}"
    zonefile-sync: -1
    zonefile-load: whole
`,
};
const NSD: Software = {
  command: ['nsd', '-d'],
  configuration: (name, directory, address) => `
server:
  ip-address: ${address}@${PORT}
  username: ""
  chroot: ""
  zonesdir: "${directory}"
  database: ""
  zonelistfile: "${directory}/zone.list"
  xfrdfile: "${directory}/xfrd.state"
  xfrdir: "${directory}"
  pidfile: "${directory}/nsd.pid"
  server-count: 1
remote-control:
  control-enable: no
zone:
  name: "${name}"
  zonefile: "${join(directory, 'zone')}"
`,
};
