import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { judgedAtMost } from '../goals.mjs';
import { cores, forkOnCore, freePort, peakOf, stop } from '../processes.mjs';
import { startZonewright } from '../servers/zonewright.mjs';
import { round } from '../statistics.mjs';

/** Of each protocol; both together within 20,000 file descriptors. */
const CONNECTIONS = 9900;
const LIMIT = '12000';

/** The memory of a service with many idle connections, which all have had one answer. */
export async function idle(directory) {
  const place = path.join(directory, 'idle');
  await mkdir(place);
  const dnsPort = await freePort();
  const service = await startZonewright({
    name: 'idle',
    directory: place,
    databaseUrl: 'sqlite:bench.sqlite',
    core: cores.server,
    settings: {
      ZONEWRIGHT_SERVICE_API__MAX_CONNECTIONS: LIMIT,
      ZONEWRIGHT_SERVICE_MDNS__ENABLED: 'True',
      ZONEWRIGHT_SERVICE_MDNS__LISTEN: `127.0.0.1:${dnsPort}`,
      ZONEWRIGHT_SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      ZONEWRIGHT_SERVICE_MDNS__MAX_CONNECTIONS: LIMIT,
      ZONEWRIGHT_SERVICE_MDNS__MAX_CONNECTIONS_PER_ADDRESS: LIMIT,
      ZONEWRIGHT_SERVICE_MDNS__IDLE_TIMEOUT: '600',
    },
  });
  const before = round(peakOf(service.child.pid), 0);
  const clients = ['http', 'dns'].map((protocol) => {
    const url = protocol === 'dns' ? `dns://127.0.0.1:${dnsPort}` : service.url;
    const args = [protocol, url, service.token, String(CONNECTIONS)];
    return forkOnCore(cores.load, 'listeners/idle-clients.mjs', args);
  });
  const answered = await Promise.all(clients.map(async (client) => (await once(client, 'message'))[0]));
  const memory = round(peakOf(service.child.pid), 0);
  for (const client of clients) client.kill();
  await stop(service.child);
  if (answered.some((count) => count < CONNECTIONS)) throw new Error(`only ${answered.join(' and ')} have an answer`);
  const peak = `memory of the service with ${CONNECTIONS} idle HTTP and ${CONNECTIONS} idle DNS connections, peak`;
  return [
    { figure: 'memory of the service without connections', measured: before, unit: 'MB' },
    { figure: peak, measured: memory, unit: 'MB', judge: judgedAtMost(`${peak}, MB`, 400, memory) },
  ];
}
