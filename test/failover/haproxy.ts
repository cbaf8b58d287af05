import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Daemon } from '../support/name-servers/daemon.js';
import { freePort } from '../support/name-servers/name-servers.js';
import type { Program } from '../support/run-program.js';
import { isPrimary } from './replicated-postgres.js';

export const HAPROXY: Program = { name: 'HAProxy', needs: { haproxy: 'haproxy' } };

/** One address for whichever server is the primary. */
export interface Haproxy {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * HAProxy as docs/operating/postgresql.md configures it. This process answers the Patroni check `GET /primary` for all
 * servers.
 * @param servers their ports
 * @param directory the configuration folder
 */
export async function startHaproxy(servers: readonly number[], directory: string): Promise<Haproxy> {
  const port = await freePort();
  const checks = await Promise.all(servers.map(answerChecks));
  const lines = servers.map((server, at) => {
    const { port: check } = checks[at]!.address() as AddressInfo;
    return `  server s${at} 127.0.0.1:${server} check port ${check}`;
  });
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, `${CONFIGURATION.replace('PORT', String(port))}${lines.join('\n')}\n`);
  const daemon = new Daemon(['haproxy', '-db', '-f', file], () => isPrimary(port));
  await daemon.start();
  return {
    port,
    stop: async () => {
      await daemon.stop('SIGTERM');
      for (const check of checks) check.close();
    },
  };
}

const CONFIGURATION = `defaults
  mode tcp
  timeout connect 2s
  timeout client 2h
  timeout server 2h

listen postgresql
  bind 127.0.0.1:PORT
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
`;

async function answerChecks(server: number): Promise<Server> {
  const checks = createServer((_, response) => {
    void isPrimary(server).then((isSo) => response.writeHead(isSo ? 200 : 503).end());
  });
  checks.listen(0, '127.0.0.1');
  await once(checks, 'listening');
  return checks;
}
