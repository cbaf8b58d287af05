import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { run, runOnLoadCore, stop } from '../processes.mjs';
import { KEY, KNOTD, startKnot, ZONE } from '../servers/primaries.mjs';
import { round } from '../statistics.mjs';
import { createAddress } from './service.mjs';
import { knotPolicy } from './signers.mjs';

const TIMES = 3;
const POLL = 200;
const PATIENCE = 180_000;

/** AXFR by a new process, repeated, and of a fresh serial. */
export async function transfersOf(signing) {
  const change = (address) => createAddress(signing, signing.zone, 'changed', address);
  await change('192.0.2.90');
  const records = recordsOf(signing.port);
  await signing.startAnew();
  const first = await transfer(signing.port, records);
  return { name: 'Zonewright', first: first.seconds, ...(await measure(signing.port, records, change)), records };
}

/** Transfers of knotd, which signs the zone at start; empty where not installed. */
export async function transfersOfKnot(directory, file, denial) {
  if (!existsSync(KNOTD)) {
    console.log('SKIPPED knotd: it is not installed');
    return [];
  }
  const signs = { policy: knotPolicy(denial), ofZone: '    dnssec-signing: on\n    dnssec-policy: bench\n' };
  const { child, port, change, output } = await startKnot(directory, file, KNOTD, signs);
  await signed(port, output);
  await change('192.0.2.90');
  const records = recordsOf(port);
  const measured = await measure(port, records, change);
  await stop(child);
  return [{ name: 'knotd', first: null, ...measured, records }];
}

async function measure(port, records, change) {
  const [again, cold] = [[], []];
  for (let at = 0; at < TIMES; at += 1) again.push(await transfer(port, records));
  for (let at = 1; at <= TIMES; at += 1) {
    await change(`192.0.2.${90 + at}`);
    cold.push(await transfer(port, records + at));
  }
  return { again: least(again), cold: least(cold), megabytes: round(again[0].octets / 2 ** 20, 1) };
}

async function transfer(port, records) {
  const plan = { kind: 'transfers', name: ZONE, port, key: KEY, records, parallel: 1 };
  const { seconds, octets } = await runOnLoadCore('dns-client.mjs', [], JSON.stringify(plan));
  return { seconds: round(seconds, 3), octets };
}

/** The records of a transfer, with the SOA twice. */
function recordsOf(port) {
  const records = /XFR size: (\d+) records/.exec(dig(port, '+noall', '+stats', 'AXFR'))?.[1];
  if (records === undefined) throw new Error(`there is no transfer at port ${port}`);
  return Number(records);
}

async function signed(port, output) {
  for (let waited = 0; !isSigned(port); waited += POLL) {
    if (waited > PATIENCE) throw new Error(`knotd has not signed the zone:\n${output()}`);
    await delay(POLL);
  }
}

function isSigned(port) {
  try {
    return dig(port, '+short', '+tries=1', '+time=1', 'DNSKEY').trim().startsWith('257');
  } catch {
    return false;
  }
}

function dig(port, ...rest) {
  const key = `${KEY.algorithm}:${KEY.name}:${KEY.secret}`;
  return run('dig', ['@127.0.0.1', '-p', String(port), '-y', key, ZONE, ...rest]);
}

function least(transfers) {
  return Math.min(...transfers.map(({ seconds }) => seconds));
}
