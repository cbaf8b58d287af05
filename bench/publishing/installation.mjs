import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import {
  DOCUMENTED_KEY,
  DOCUMENTED_SECRET,
  freePort,
  nameServer,
  nsdControlCommand,
  serialOf,
} from '../../test/support/name-servers/name-servers.js';
import { setTimeout as delay } from 'node:timers/promises';
import { runZonewright, startZonewright, zonewright } from '../servers/zonewright.mjs';

const WITHOUT_CATALOG = 'NSD';
const POLL = 5;

/**
 * The service on SQLite and name servers as in docs/publishing.md, not started yet.
 * @param secondaries more addresses for the service to notify; it does not query those in `alsoNotify`
 */
export async function install(parent, names, { portOf = (server) => server.port, alsoNotify = [] } = {}) {
  const directory = path.join(parent, `pool-${(installed += 1)}`);
  await mkdir(directory);
  const primary = await freePort();
  const servers = [];
  for (const name of names) servers.push(await nameServer(name, { directory, primary }));
  const addresses = [];
  for (const server of servers) addresses.push(`127.0.0.1:${await portOf(server)}@${DOCUMENTED_KEY}`);
  const settings = {
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${primary}`,
    SERVICE_MDNS__TSIG_KEYS: `${DOCUMENTED_KEY}:hmac-sha256:${DOCUMENTED_SECRET}`,
    SERVICE_MDNS__SECONDARIES: addresses.join(','),
    SERVICE_MDNS__ALSO_NOTIFY: alsoNotify.map((port) => `127.0.0.1:${port}`).join(','),
    SERVICE_MDNS__ALLOW_TRANSFER: `127.0.0.1@${DOCUMENTED_KEY}`,
    SERVICE_MDNS__CATALOG_ZONE: 'catalog.example.',
  };
  return new Installation(directory, servers, settings);
}

let installed = 0;

class Installation {
  constructor(directory, servers, settings) {
    this.directory = directory;
    this.servers = servers;
    this.settings = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ZONEWRIGHT_${name}`, value]));
  }

  async startService() {
    const plan = { name: 'Zonewright', directory: this.directory, databaseUrl: 'sqlite:bench.sqlite', core: null };
    this.service = await startZonewright({ ...plan, settings: this.settings });
  }

  async startServers() {
    await Promise.all(this.servers.map((server) => server.start()));
  }

  /** kill -9. */
  async killService() {
    const ended = once(this.service.child, 'exit');
    this.service.child.kill('SIGKILL');
    await ended;
  }

  async startServiceAgain() {
    this.service = await runZonewright({ core: null, ...this.service });
  }

  /** A domain that all of the servers have, once they run. */
  async publishedDomain(name) {
    const domain = await this.newDomain(name);
    const nsd = this.servers.find((server) => server.name === WITHOUT_CATALOG);
    if (nsd !== undefined)
      this.#command('pool', 'sync', '--pattern', 'zonewright', '--control', nsdControlCommand(nsd));
    for (const { port } of this.servers) while ((await serialOf(port, name)) === null) await delay(POLL);
    return domain;
  }

  #command(...args) {
    return zonewright(this.directory, this.service.environment, ...args);
  }

  newDomain(name) {
    return this.service.call('POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
  }

  /** Makes one record; the serial that it led to, and when that was answered. */
  async change({ id, name }) {
    const record = { name: `r${(changes += 1)}.${name}`, type: 'A', data: '192.0.2.1', ttl: 60 };
    const body = { changes: [{ action: 'create', record }] };
    const { serial } = await this.service.call('POST', `/v1/domains/${id}/changes`, body);
    return { serial, at: performance.now() };
  }

  async stop() {
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.killService();
  }
}

let changes = 0;
