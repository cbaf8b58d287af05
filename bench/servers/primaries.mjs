import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cores, freePort, run, spawnServer } from '../processes.mjs';
import { startZonewright, zonewright, zonewrightEnvironment } from './zonewright.mjs';

export const ZONE = 'bench.example.';
/** As configured in the programs below. */
export const KEY = {
  name: 'bench.',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('thirty-two octets, known to all!').toString('base64'),
};

export const KNOTD = '/usr/sbin/knotd';
/** Milliseconds in which nsd serves a changed zone; `nsd-control` does not wait for it. */
const RELOAD = 3000;

/**
 * Zonewright, knotd, named and nsd as primaries of one zone, as far as installed: each signs its transfers.
 * @param file the zone file of all of them
 * @param takesUpdates whether all accept UPDATE, which nsd does not
 */
export async function startPrimaries(directory, file, { takesUpdates = false } = {}) {
  const all = [];
  all.push(await startOurs(path.join(directory, 'zonewright'), file, { takesUpdates }));
  for (const [program, start] of [
    [KNOTD, startKnot],
    ['/usr/sbin/named', startNamed],
    ...(takesUpdates ? [] : [['/usr/sbin/nsd', startNsd]]),
  ]) {
    if (existsSync(program)) all.push(await start(path.join(directory, path.basename(program)), file, program));
    else console.log(`SKIPPED ${path.basename(program)}: it is not installed`);
  }
  return all;
}

/** Zonewright alone. @param notified the notified name server, as in `secondaries`; empty: none */
export async function startOurs(directory, file, { takesUpdates = false, notified = '' } = {}) {
  await mkdir(directory);
  const databaseUrl = `sqlite:${path.join(directory, 'zonewright.sqlite')}`;
  const into = ['--domain', ZONE, '--create', '--email', 'hostmaster@bench.example', '--tenant', 'bench'];
  const environment = zonewrightEnvironment(databaseUrl);
  zonewright(directory, environment, 'migrate');
  zonewright(directory, environment, 'zone', 'import', file, ...into);
  const port = await freePort();
  const options = {
    enabled: 'True',
    listen: `127.0.0.1:${port}`,
    tsig_keys: `${KEY.name}:${KEY.algorithm}:${KEY.secret}`,
    allow_transfer: `127.0.0.1,127.0.0.0/8@${KEY.name}`,
    secondaries: notified,
    updates: takesUpdates ? 'True' : 'False',
  };
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(path.join(directory, 'zonewright.conf'), `[service:mdns]\n${lines.join('')}`);
  const service = await startZonewright({ name: 'Zonewright', directory, databaseUrl, core: cores.server });
  const { domains } = await service.call('GET', '/v1/domains');
  const [{ id }] = domains;
  const change = (address) =>
    service.call('POST', `/v1/domains/${id}/records`, { name: `changed.${ZONE}`, type: 'A', data: address });
  const named = { ...KEY, name: 'updates.' };
  const updateKey = takesUpdates ? await service.call('POST', '/v1/update-keys', named) : undefined;
  return { name: 'Zonewright', port, pid: service.child.pid, change, ...(updateKey && { updateKey: named }) };
}

/** @param policy how it signs, and `ofZone` that it signs the zone so; empty: it signs nothing */
export async function startKnot(directory, file, program, { policy = '', ofZone = '' } = {}) {
  await mkdir(directory);
  const port = await freePort();
  const configuration = path.join(directory, 'knot.conf');
  await writeFile(
    configuration,
    `server:
    rundir: "${directory}"
    listen: 127.0.0.1@${port}
log:
  - target: stderr
    any: warning
database:
    storage: "${directory}"
key:
  - id: ${KEY.name}
    algorithm: ${KEY.algorithm}
    secret: ${KEY.secret}
acl:
  - id: all
    key: ${KEY.name}
    action: [transfer, update]
${policy}zone:
  - domain: ${ZONE}
    file: "${file}"
    zonefile-sync: -1
    acl: all
${ofZone}`,
  );
  const { child, output } = spawnServer({ command: program, args: ['-c', configuration], core: cores.server });
  return { name: 'knotd', child, port, pid: child.pid, change: updater(directory, port), output };
}

async function startNamed(directory, file, program) {
  await mkdir(directory);
  const port = await freePort();
  const configuration = path.join(directory, 'named.conf');
  await writeFile(
    configuration,
    `options {
  directory "${directory}"; pid-file none; session-keyfile none; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify no; allow-query { any; }; transfers-out 100; tcp-clients 1000;
};
controls { };
key "${KEY.name}" { algorithm ${KEY.algorithm}; secret "${KEY.secret}"; };
zone "${ZONE}" { type primary; file "${file}.named"; allow-transfer { key "${KEY.name}"; }; allow-update { key "${KEY.name}"; }; };
`,
  );
  run('cp', [file, `${file}.named`]);
  const args = ['-g', '-c', configuration];
  const { child, output } = spawnServer({ command: program, args, core: cores.server });
  return { name: 'named', port, pid: child.pid, change: updater(directory, port), output };
}

async function startNsd(directory, file, program) {
  await mkdir(directory);
  const port = await freePort();
  const [configuration, own] = [path.join(directory, 'nsd.conf'), path.join(directory, 'zone')];
  await copyFile(file, own);
  await writeFile(
    configuration,
    `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  chroot: ""
  zonesdir: "${directory}"
  database: ""
  pidfile: "${directory}/pid"
  xfrdfile: "${directory}/xfrd"
  xfrdir: "${directory}"
  zonelistfile: "${directory}/zones"
  server-count: 1
  rrl-ratelimit: 0
  tcp-count: 1000
remote-control:
  control-enable: yes
  control-interface: "${directory}/control"
key:
  name: ${KEY.name}
  algorithm: ${KEY.algorithm}
  secret: "${KEY.secret}"
zone:
  name: ${ZONE}
  zonefile: "${own}"
  provide-xfr: 127.0.0.1 ${KEY.name}
  store-ixfr: yes
  create-ixfr: yes
`,
  );
  const { child, output } = spawnServer({ command: program, args: ['-d', '-c', configuration], core: cores.server });
  let serial = 1;
  const change = async (address) => {
    serial += 1;
    const text = await readFile(own, 'utf8');
    await writeFile(own, text.replace(/ hostmaster \d+ /, ` hostmaster ${serial} `) + `changed A ${address}\n`);
    run('nsd-control', ['-c', configuration, 'reload', ZONE]);
    await delay(RELOAD);
  };
  return { name: 'nsd', port, pid: child.pid, change, output };
}

function updater(directory, port) {
  return async (address) => {
    const script = `server 127.0.0.1 ${port}\nzone ${ZONE}\nupdate add changed.${ZONE} 3600 A ${address}\nsend\n`;
    run('nsupdate', ['-y', `${KEY.algorithm}:${KEY.name}:${KEY.secret}`], { cwd: directory, input: script });
  };
}
