import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { Agent } from 'node:http';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { atOnce, callOver } from '../json-client.mjs';
import { peakOf, stop } from '../processes.mjs';
import { startZonewright } from '../servers/zonewright.mjs';
import { quantiles } from '../statistics.mjs';

const CONNECTIONS = 32;
const PAGE_PAUSE = 50;
/** Milliseconds in which the unanswered queries become overdue. */
const OVERDUE = 15_000;

/** Many new zones with two name servers that never answer: memory, and pages of the list meanwhile. */
export async function silent(directory, { silentZones }) {
  const place = path.join(directory, 'silent');
  await mkdir(place);
  const sockets = [await openSilent(), await openSilent()];
  const service = await startZonewright({
    name: 'silent',
    directory: place,
    databaseUrl: 'sqlite:bench.sqlite',
    core: null,
    settings: {
      ZONEWRIGHT_SERVICE_MDNS__ENABLED: 'True',
      ZONEWRIGHT_SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      ZONEWRIGHT_SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      ZONEWRIGHT_SERVICE_MDNS__SECONDARIES: sockets.map((one) => `127.0.0.1:${one.address().port}`).join(),
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS + 1 });
  const pages = [];
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      const begun = performance.now();
      await callOver(agent, service, { method: 'GET', place: '/v1/domains?limit=20' });
      pages.push(performance.now() - begun);
      await delay(PAGE_PAUSE);
    }
  })();
  const begun = performance.now();
  await atOnce(CONNECTIONS, [0, silentZones], (at) => {
    const body = { name: `z${at}.example.net.`, email: 'hostmaster@example.net' };
    return callOver(agent, service, { method: 'POST', place: '/v1/domains', body });
  });
  const milliseconds = performance.now() - begun;
  await delay(OVERDUE);
  isDone = true;
  await reading;
  const peak = peakOf(service.child.pid);
  agent.destroy();
  for (const socket of sockets) socket.close();
  await stop(service.child);
  const title = `${silentZones} new zones, two silent name servers`;
  return [
    { figure: `${title}: created within`, unit: 'ms', goal: null, measured: milliseconds },
    { figure: `${title}: memory, peak`, unit: 'MB', goal: 350, measured: peak },
    { figure: `${title}: a page of the list, p99`, unit: 'ms', goal: 50, measured: quantiles(pages).p99 },
  ];
}

async function openSilent() {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
