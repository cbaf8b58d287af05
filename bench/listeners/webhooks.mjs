import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { judged } from '../goals.mjs';
import { cores, forkOnCore, run, stop } from '../processes.mjs';
import { startZonewright } from '../servers/zonewright.mjs';
import { round } from '../statistics.mjs';
import { makeDomains } from './changes.mjs';

const WEBHOOKS = 100;
const DOMAINS = 20;
const PATIENCE = 300_000;

/**
 * The call rate of webhooks with one working HTTPS target. Webhooks are called immediately, so changes must outpace the
 * calls.
 */
export async function webhooks(directory, { quick }) {
  const place = path.join(directory, 'webhooks');
  await mkdir(place);
  const [key, certificate] = ownCertificate(place);
  const target = forkOnCore(cores.load, 'servers/webhook-target.mjs', [key, certificate]);
  const [{ port }] = await once(target, 'message');
  const service = await startZonewright({
    name: 'webhooks',
    directory: place,
    databaseUrl: 'sqlite:bench.sqlite',
    core: cores.server,
    settings: {
      NODE_EXTRA_CA_CERTS: certificate,
      ZONEWRIGHT_SERVICE_API__ENABLED_EXTENSIONS_V1: 'webhooks',
      ZONEWRIGHT_WEBHOOKS__ALLOWED_TARGETS: '127.0.0.1',
      ZONEWRIGHT_WEBHOOKS__ALLOWED_PORTS: '',
      ZONEWRIGHT_WEBHOOKS__MAX_WEBHOOKS: String(WEBHOOKS),
    },
  });
  const domains = await makeDomains(service, DOMAINS);
  for (let at = 0; at < WEBHOOKS; at += 1)
    await service.call('POST', '/v1/webhooks', { url: `https://127.0.0.1:${port}/${at}` });
  const records = quick ? 5 : 20;
  await Promise.all(domains.map((domain) => change(service, domain, records)));
  const { count, firstAt, lastAt } = await untilCalled(target, WEBHOOKS * DOMAINS * records);
  await stop(service.child);
  target.kill();
  const rate = round(count / ((lastAt - firstAt) / 1000), 0);
  const figure = `webhooks called by HTTPS, ${WEBHOOKS} of them`;
  return [{ figure, measured: rate, unit: '1/s', judge: judged({ what: `${figure}, a second`, least: 1000 }, rate) }];
}

async function change({ call }, { id, name }, records) {
  const changes = Array.from({ length: records }, (_, at) => ({
    action: 'create',
    record: { name: `w${at}.${name}`, type: 'A', data: '192.0.2.1' },
  }));
  await call('POST', `/v1/domains/${id}/changes`, { changes });
}

async function untilCalled(target, wanted) {
  for (const end = Date.now() + PATIENCE; ;) {
    target.send('count');
    const [report] = await once(target, 'message');
    if (report.count >= wanted) return report;
    if (Date.now() > end) throw new Error(`${report.count} of ${wanted} calls came in ${PATIENCE} ms`);
    await delay(100);
  }
}

/** Self-signed, with the most common key type, which determines handshake costs. */
function ownCertificate(place) {
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => path.join(place, name));
  const ofKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', key];
  const names = ['-subj', '/CN=target', '-addext', 'subjectAltName=IP:127.0.0.1'];
  run('openssl', ['req', '-x509', ...ofKey, ...names, '-days', '2', '-out', certificate]);
  return [key, certificate];
}
