import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { serialOf } from '../../test/support/name-servers/name-servers.js';
import { run } from '../processes.mjs';
import { ZONE } from '../servers/primaries.mjs';
import { quantiles } from '../statistics.mjs';
import { createAddress, publishedSerialOf } from './service.mjs';

const CHANGES = 50;
/** Between two of them, in milliseconds. */
const PAUSE = 50;

/** A new name at a time. */
export function newNames(signing) {
  return changes('a new name', signing, (at) => createAddress(signing, signing.zone, `new-${at}`));
}

/** Other data of a set that is there, each time. */
export async function changedSets(signing) {
  const { call, zone } = signing;
  const { id } = await createAddress(signing, zone, 'changing');
  const changed = (at) => call('PUT', `/v1/domains/${zone.id}/records/${id}`, { data: `198.51.100.${at + 1}` });
  return changes('a changed set', signing, changed);
}

/** From the API response until a notified name server has the signed serial. */
async function changes(what, signing, change) {
  const { sink, port } = signing;
  const waits = [];
  let octets = 0;
  for (let at = 0; at < CHANGES; at += 1) {
    await delay(PAUSE);
    const before = await publishedSerialOf(signing);
    const notified = sink.next();
    await change(at);
    const answered = performance.now();
    await notified;
    const serial = await serialOf(port, ZONE);
    waits.push(performance.now() - answered);
    if (serial === null || serial <= before) throw new Error(`the serial is ${serial}, and was ${before}`);
    octets += octetsOf(port, before);
  }
  return { what, changes: CHANGES, ...quantiles(waits), ixfr: Math.round(octets / CHANGES) };
}

function octetsOf(port, serial) {
  const answer = run('dig', ['@127.0.0.1', '-p', String(port), '+tcp', `ixfr=${serial}`, ZONE]);
  return Number(/bytes (\d+)/.exec(answer)?.[1]);
}
