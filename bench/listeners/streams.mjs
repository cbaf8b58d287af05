import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { judged, judgedAtMost } from '../goals.mjs';
import { cores, forkOnCore, peakOf, stop } from '../processes.mjs';
import { startZonewright } from '../servers/zonewright.mjs';
import { quantiles, round } from '../statistics.mjs';
import { makeDomains } from './changes.mjs';

const READERS = 1000;
const PER_SECOND = 5;
const AT_ONCE = 100;
const PATIENCE = 120_000;

/** The delay of each change for many readers of one tenant's stream, and their event rate under load. */
export async function streams(directory, { quick }) {
  const place = path.join(directory, 'streams');
  await mkdir(place);
  const service = await startZonewright({
    name: 'streams',
    directory: place,
    databaseUrl: 'sqlite:bench.sqlite',
    core: cores.server,
    settings: {
      ZONEWRIGHT_SERVICE_API__ENABLED_EXTENSIONS_V1: 'events',
      ZONEWRIGHT_SERVICE_API__MAX_EVENT_STREAMS: '2000',
      ZONEWRIGHT_SERVICE_API__MAX_EVENT_STREAMS_PER_TENANT: '2000',
      ZONEWRIGHT_SERVICE_API__MAX_CONNECTIONS: '10000',
      ZONEWRIGHT_SERVICE_API__MAX_REQUESTS: '10000',
      ZONEWRIGHT_SERVICE_API__MAX_REQUESTS_PER_ADDRESS: '10000',
    },
  });
  const [domain] = await makeDomains(service, 1);
  const readers = forkOnCore(cores.load, 'listeners/readers.mjs', [service.url, service.token, String(READERS)]);
  await once(readers, 'message');
  const changes = quick ? 10 : 50;
  const sentAt = [];
  for (let at = 0; at < changes; at += 1) {
    sentAt.push(performance.timeOrigin + performance.now());
    await service.call('POST', `/v1/domains/${domain.id}/records`, recordOf(domain, `p${at}`));
    await delay(1000 / PER_SECOND);
  }
  const { lastAt } = await untilRead(readers, changes);
  const { p50, p99 } = quantiles(sentAt.map((at, event) => lastAt[event] - at));
  const perSecond = await burst(service, domain, readers, changes, quick ? 1 : 10);
  const memory = round(peakOf(service.child.pid), 0);
  readers.kill();
  await stop(service.child);
  const what = `the last of ${READERS} readers of the stream has a change within, p99`;
  const rate = `events a second to ${READERS} readers of the stream`;
  const peak = `memory of the service with ${READERS} readers, peak`;
  return [
    { figure: what.replace('p99', 'p50'), measured: p50, unit: 'ms' },
    { figure: what, measured: p99, unit: 'ms', judge: judgedAtMost(`${what}, ms`, 1000, p99) },
    { figure: rate, measured: perSecond, unit: '1/s', judge: judged({ what: rate, least: 20_000 }, perSecond) },
    { figure: peak, measured: memory, unit: 'MB', judge: judgedAtMost(`${peak}, MB`, 300, memory) },
  ];
}

async function burst({ call }, domain, readers, before, sets) {
  const begun = performance.timeOrigin + performance.now();
  for (let set = 0; set < sets; set += 1) {
    const changes = Array.from({ length: AT_ONCE }, (_, at) => ({
      action: 'create',
      record: recordOf(domain, `b${set}-${at}`),
    }));
    await call('POST', `/v1/domains/${domain.id}/changes`, { changes });
  }
  const events = sets * AT_ONCE;
  const { lastAt } = await untilRead(readers, before + events);
  return round((events * READERS) / ((lastAt[before + events - 1] - begun) / 1000), 0);
}

function recordOf({ name }, label) {
  return { name: `${label}.${name}`, type: 'A', data: '192.0.2.1' };
}

/** Until all readers have the wanted number of events. */
async function untilRead(readers, wanted) {
  for (const end = Date.now() + PATIENCE; ;) {
    readers.send('count');
    const [report] = await once(readers, 'message');
    if (report.whole >= wanted) return report;
    if (Date.now() > end) throw new Error(`${report.whole} of ${wanted} events came to all readers`);
    await delay(100);
  }
}
