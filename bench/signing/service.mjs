import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuSeconds, forgetPeak, freePort, peakOf, stop } from '../processes.mjs';
import { startNotifySink } from '../publishing/notify-sink.mjs';
import { KEY, ZONE } from '../servers/primaries.mjs';
import { runZonewright, startZonewright, TENANT, zonewright, zonewrightEnvironment } from '../servers/zonewright.mjs';
import { quantiles, round } from '../statistics.mjs';

/** Interval of creates in the other domain, in milliseconds. */
const PACE = 20;
const SELDOM = 500;
const PATIENCE = 900_000;

/** For `startZonewright`: zones are signed and transferred, and `notified` gets NOTIFYs. */
export function signingSettings(primary, notified) {
  return {
    ZONEWRIGHT_SERVICE_MDNS__ENABLED: 'True',
    ZONEWRIGHT_SERVICE_MDNS__LISTEN: `127.0.0.1:${primary}`,
    ZONEWRIGHT_SERVICE_MDNS__SECONDARIES: notified,
    ZONEWRIGHT_SERVICE_MDNS__TSIG_KEYS: `${KEY.name}:${KEY.algorithm}:${KEY.secret}`,
    ZONEWRIGHT_SERVICE_MDNS__ALLOW_TRANSFER: `127.0.0.1,127.0.0.0/8@${KEY.name}`,
    ZONEWRIGHT_SERVICE_DNSSEC__ENABLED: 'True',
    ZONEWRIGHT_SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };
}

/** A service that has the zone of the file, and another domain, neither of them signed. `more`: settings of keys in a token. */
export async function startSigningService(directory, file, denial, more = {}) {
  await mkdir(directory);
  const databaseUrl = `sqlite:${path.join(directory, 'bench.sqlite')}`;
  const environment = zonewrightEnvironment(databaseUrl);
  const into = ['--domain', ZONE, '--create', '--email', 'hostmaster@example.org', '--tenant', TENANT];
  zonewright(directory, environment, 'migrate');
  zonewright(directory, environment, 'zone', 'import', file, ...into);
  const [sink, port] = [await startNotifySink(), await freePort()];
  const settings = { ...signingSettings(port, `127.0.0.1:${sink.port}`), ...more };
  const service = await startZonewright({ name: 'Zonewright', core: null, directory, databaseUrl, settings });
  const other = await service.call('POST', '/v1/domains', { name: 'other.example.', email: 'hostmaster@example.org' });
  const { domains } = await service.call('GET', `/v1/domains?name=${ZONE}`);
  return {
    ...{ service, zone: domains[0], other, sink, port, denial },
    call: (...request) => service.call(...request),
    /** A process that has nothing in memory. */
    async startAnew() {
      await stop(this.service.child);
      this.service = await runZonewright({ ...this.service, core: null });
    },
    async end() {
      await stop(this.service.child);
      sink.close();
    },
  };
}

/** Sends no requests meanwhile, since they would count as signing. */
export async function firstSigning(signing) {
  const { call, zone, denial } = signing;
  const { pid } = signing.service.child;
  forgetPeak(pid);
  const [cpu, started] = [cpuSeconds([pid]), performance.now()];
  await call('PUT', `/v1/domains/${zone.id}/dnssec`, { enabled: true, denial });
  await until(async () => (await publishedSerialOf(signing)) !== null);
  const seconds = round((performance.now() - started) / 1000);
  const taken = cpu === null ? null : round(cpuSeconds([pid]) - cpu);
  return { program: 'Zonewright', seconds, cpu: taken, megabytes: Math.round(peakOf(pid)) };
}

/** Latencies of creates in another domain while everything is re-signed. */
export async function besideSigning(signing) {
  const { call, zone, other } = signing;
  const before = await publishedSerialOf(signing);
  const creates = paced((at) => createAddress(signing.service, other, `beside-${at}`));
  await call('POST', `/v1/domains/${zone.id}/dnssec/resign`, {});
  await until(async () => (await publishedSerialOf(signing)) !== before);
  const { p99, max } = quantiles(await creates.end());
  return { p99, max };
}

/** Sends independent of earlier responses; `end` returns latencies in milliseconds. */
export function paced(send) {
  let hasEnded = false;
  const run = async () => {
    const sent = [];
    for (const begun = performance.now(); !hasEnded;) {
      const at = performance.now();
      sent.push(send(sent.length).then(() => performance.now() - at));
      await delay(Math.max(0, begun + sent.length * PACE - performance.now()));
    }
    return Promise.all(sent);
  };
  const running = run();
  return {
    end: () => {
      hasEnded = true;
      return running;
    },
  };
}

export async function publishedSerialOf({ call, zone }) {
  return (await call('GET', `/v1/domains/${zone.id}/dnssec`)).published_serial;
}

export function createAddress({ call }, { id, name }, label, data = '192.0.2.1') {
  return call('POST', `/v1/domains/${id}/records`, { name: `${label}.${name}`, type: 'A', data });
}

export async function until(isSo) {
  const deadline = performance.now() + PATIENCE;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE / 1000} s`);
    await delay(SELDOM);
  }
}
