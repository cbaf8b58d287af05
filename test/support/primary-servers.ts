import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { spawnTied } from './children.js';
import { SOA } from '../../src/dns/rdata/index.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { query } from './messages.js';
import { freePort } from './name-servers/name-servers.js';
import type { Program } from './run-program.js';
import { transfer } from './transfers.js';

/** A name server that can be started with a zone, to be asked for it. */
export interface PrimarySoftware extends Program {
  readonly command: string;
  parameters(directory: string): readonly string[];
  configuration(at: Place): string;
}

interface Place {
  readonly directory: string;
  readonly port: number;
  readonly key: TsigKey;
}

/** A server that answers on loopback for example.org. */
export interface PrimaryServer {
  readonly port: number;
  /** Has it read another zone, and tell its secondaries. */
  reload(zone: string): Promise<void>;
  stop(): Promise<void>;
}

export const NAMED: PrimarySoftware = {
  name: 'named',
  needs: { named: 'bind9', nsupdate: 'bind9-dnsutils' },
  command: '/usr/sbin/named',
  parameters: (directory) => ['-g', '-c', join(directory, 'conf')],
  configuration: ({ directory, port, key }) => `
options {
  directory "${directory}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file none; session-keyfile none; lock-file none;
  recursion no; notify no; dnssec-validation no; check-names primary ignore;
};
controls {};
key "${key.name.toString()}" { algorithm ${key.algorithm}; secret "${secretOf(key)}"; };
zone "example.org" {
  type primary; file "zone";
  allow-transfer { key "${key.name.toString()}"; };
  allow-update { key "${key.name.toString()}"; };
};
`,
};

export const KNOTD: PrimarySoftware = {
  name: 'knotd',
  needs: { knotd: 'knot' },
  command: '/usr/sbin/knotd',
  parameters: (directory) => ['-c', join(directory, 'conf')],
  configuration: ({ directory, port, key }) => `
server:
    rundir: "${directory}"
    listen: 127.0.0.1@${port}
database:
    storage: "${directory}"
key:
  - id: ${key.name.toString()}
    algorithm: ${key.algorithm}
    secret: ${secretOf(key)}
acl:
  - id: transfers
    key: ${key.name.toString()}
    action: transfer
zone:
  - domain: example.org
    file: "${join(directory, 'zone')}"
    acl: transfers
`,
};

const LONGEST_START_MS = 20_000;

/** Starts the server with the zone, and returns when it answers. The key may transfer, and change records on named. */
export async function startPrimary(software: PrimarySoftware, zone: string, key: TsigKey): Promise<PrimaryServer> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-primary-'));
  const port = await freePort();
  await writeFile(join(directory, 'zone'), zone);
  await writeFile(join(directory, 'conf'), software.configuration({ directory, port, key }));
  const child = spawnTied(software.command, software.parameters(directory), { stdio: ['ignore', 'pipe', 'pipe'] });
  const reload = async (other: string): Promise<void> => {
    await writeFile(join(directory, 'zone'), other);
    child.kill('SIGHUP');
  };
  const server = { port, reload, stop: () => stopped(child, directory) };
  try {
    await untilReady(child, port);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function stopped(child: ChildProcess, directory: string): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  await rm(directory, { recursive: true });
}

/** Queries the SOA until it is answered; fails with the output of the server after its exit or a timeout. */
async function untilReady(child: ChildProcess, port: number): Promise<void> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const deadline = Date.now() + LONGEST_START_MS;
  while (child.exitCode === null && Date.now() < deadline) {
    try {
      await transfer(port, query(SOA.code));
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`the server does not answer: ${said}`);
}

function secretOf({ secret }: TsigKey): string {
  return Buffer.from(secret).toString('base64');
}
