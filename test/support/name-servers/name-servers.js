import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as bind from './bind.js';
import { Daemon } from './daemon.js';
import * as knot from './knot.js';
import * as nsd from './nsd.js';
import { freePort } from './ports.js';
import * as powerdns from './powerdns.js';
import { ask } from './questions.js';

export { documented, DOCUMENTED_KEY, DOCUMENTED_SECRET, serviceConfiguration } from './documented.js';
export { nsdControlCommand } from './nsd.js';
export { freePort } from './ports.js';
export { serialOf } from './questions.js';
export { startUdpRelay } from './udp-relay.js';

const SOFTWARE = { BIND: bind, Knot: knot, NSD: nsd, PowerDNS: powerdns };

export const NEEDS = Object.fromEntries(Object.entries(SOFTWARE).map(([name, { needs }]) => [name, needs]));

/** Any answer will do: it has read its configuration. */
const answers = (port) => async () => (await ask(port, 'example.invalid.')) !== null;

export async function nameServer(name, { directory: parent, port: wanted, zones = [], ...place }) {
  const directory = join(parent, name);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const port = wanted ?? (await freePort());
  const command = await SOFTWARE[name].configure({ ...place, directory, own: port, zones });
  const daemon = new Daemon(command, answers(port));
  return {
    name,
    port,
    directory,
    get log() {
      return daemon.log;
    },
    start: () => daemon.start(),
    stop: (signal) => daemon.stop(signal),
  };
}
