import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { serialOf, startUdpRelay } from '../../test/support/name-servers/name-servers.js';
import { quantiles } from '../statistics.mjs';
import { install } from './installation.mjs';
import { startNotifySink } from './notify-sink.mjs';
import { watchSerial } from './serial-watch.mjs';

const ALL = ['BIND', 'Knot', 'NSD', 'PowerDNS'];
const WITH_CATALOG = ['BIND', 'Knot', 'PowerDNS'];
/** In milliseconds: issue 13, point 12. */
const SERVED_P99 = { BIND: 50, NSD: 75, Knot: 900, PowerDNS: 1050 };
const SERVED_SLOWLY_P99 = { Knot: 80 };
const PAUSE = 200;
const WRITERS = 32;

/** From the answer to a change until its NOTIFY is on the wire; a NOTIFY that is faster than the answer counts as 0. */
export async function notified(directory, { changes }) {
  const sink = await startNotifySink();
  const place = await install(directory, [], { alsoNotify: [sink.port] });
  await place.startService();
  const domain = await place.newDomain('notify.example.');
  await delay(PAUSE);
  const times = [];
  for (let at = 0; at < changes; at += 1) {
    const next = sink.next();
    const answered = await place.change(domain);
    times.push(Math.max(0, (await next) - answered.at));
    await delay(PAUSE / 4);
  }
  sink.close();
  await place.stop();
  return [
    figure('answer to NOTIFY, p50', quantiles(times).p50, 3),
    figure('answer to NOTIFY, p99', quantiles(times).p99, 15),
  ];
}

/** From the answer to a change until each server serves it. */
export async function served(directory, { changes }) {
  const place = await running(directory, ALL);
  const domain = await place.publishedDomain('served.example.');
  const often = await paced(place, domain, { changes, perSecond: 5 });
  // Knot delays a refresh that soon follows another one.
  await delay(2000);
  const seldom = await paced(place, domain, { changes: Math.ceil(changes / 5), perSecond: 0.7 });
  await place.stop();
  return ALL.flatMap((name) => [
    figure(`${name} serves, 5 changes a second, p50`, quantiles(often[name]).p50),
    figure(`${name} serves, 5 changes a second, p99`, quantiles(often[name]).p99, SERVED_P99[name]),
    figure(`${name} serves, 0.7 changes a second, p99`, quantiles(seldom[name]).p99, SERVED_SLOWLY_P99[name]),
  ]);
}

/** The last of a burst, from its answer. */
export async function burst(directory, { seconds }) {
  const perSecond = 500;
  const place = await running(directory, ALL);
  const domain = await place.publishedDomain('burst.example.');
  const watches = await watched(place.servers, domain.name);
  const all = [];
  const began = performance.now();
  let next = 0;
  const write = async () => {
    for (let at = next++; at < seconds * perSecond; at = next++) {
      const early = began + (1000 * at) / perSecond - performance.now();
      if (early > 1) await delay(early);
      all.push(await place.change(domain));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  const last = all.reduce((latest, answer) => (answer.serial > latest.serial ? answer : latest));
  const rate = (1000 * all.length) / (Math.max(...all.map(({ at }) => at)) - began);
  const times = await Promise.all(
    watches.map(async ({ name, served }) => [name, (await served(last.serial)) - last.at]),
  );
  await ended(place, watches);
  return [
    { figure: 'changes a second in the burst', measured: Math.round(rate), unit: '1/s', goal: null },
    ...times.map(([name, time]) => figure(`${name} serves the last of the burst`, time, 1100)),
  ];
}

/** NOTIFY messages to BIND that do not arrive. */
export async function lost(directory) {
  let relay;
  const portOf = async ({ port }) => (relay = await startUdpRelay(port)).port;
  const place = await running(directory, ['BIND'], { portOf });
  const domain = await place.publishedDomain('lost.example.');
  const watches = await watched(place.servers, domain.name);
  const figures = [];
  for (const [count, goal] of [
    [1, 1000],
    [3, 5000],
  ]) {
    await delay(1000);
    relay.loseNotifies(count);
    const { serial, at } = await place.change(domain);
    const time = (await watches[0].served(serial)) - at;
    figures.push(figure(`BIND serves after ${count} lost NOTIFY`, time, goal));
  }
  relay.close();
  await ended(place, watches);
  return figures;
}

/** Domains that are there when the servers see the catalog first, and one more. */
export async function catalog(directory, { domains }) {
  const figures = [];
  for (const name of WITH_CATALOG) {
    const place = await install(directory, [name]);
    await place.startService();
    const names = Array.from({ length: domains }, (_, at) => `d${at}.catalog-bench.example.`);
    for (let at = 0; at < domains; at += 20)
      await Promise.all(names.slice(at, at + 20).map((one) => place.newDomain(one)));
    const began = performance.now();
    await place.startServers();
    const [{ port }] = place.servers;
    await allServed(port, names);
    figures.push(figure(`${name} serves ${domains} domains of the catalog`, performance.now() - began, 8 * domains));
    const more = [];
    for (let at = 0; at < 5; at += 1) {
      await delay(1500);
      const watch = await watchSerial(port, `more${at}.example.`);
      const { serial } = await place.newDomain(`more${at}.example.`);
      const answered = performance.now();
      more.push((await watch.served(serial)) - answered);
      watch.close();
    }
    figures.push(
      figure(`${name} serves one more domain, median of 5`, quantiles(more).p50, name === 'PowerDNS' ? 500 : 100),
    );
    await place.stop();
  }
  return figures;
}

/** kill -9 in the middle of changes: from the moment that the service is up again. */
export async function killed(directory) {
  const place = await running(directory, ALL);
  const domain = await place.publishedDomain('killed.example.');
  const watches = await watched(place.servers, domain.name);
  const answered = [];
  let isUp = true;
  const write = async () => {
    while (isUp) answered.push((await place.change(domain)).serial);
  };
  const writers = Array.from({ length: 4 }, () => write().catch(() => undefined));
  await delay(1000);
  await place.killService();
  isUp = false;
  await Promise.all(writers);
  await place.startServiceAgain();
  const up = performance.now();
  const last = Math.max(...answered);
  const times = await Promise.all(watches.map(async ({ name, served }) => [name, (await served(last)) - up]));
  await ended(place, watches);
  return times.map(([name, time]) => figure(`${name} serves all that was answered, after kill -9`, time, 2000));
}

async function running(directory, names, options) {
  const place = await install(directory, names, options);
  await place.startService();
  await place.startServers();
  return place;
}

async function watched(servers, zone) {
  const watch = async ({ name, port }) => ({ name, ...(await watchSerial(port, zone)) });
  return Promise.all(servers.map(watch));
}

async function ended(place, watches) {
  for (const watch of watches) watch.close();
  await place.stop();
}

/** How long each server took to serve each change. */
async function paced(place, domain, { changes, perSecond }) {
  const watches = await watched(place.servers, domain.name);
  const waits = [];
  const times = Object.fromEntries(watches.map(({ name }) => [name, []]));
  const began = performance.now();
  for (let at = 0; at < changes; at += 1) {
    const { serial, at: answered } = await place.change(domain);
    for (const { name, served } of watches)
      waits.push(served(serial).then((time) => times[name].push(time - answered)));
    await delay(Math.max(0, began + (1000 * (at + 1)) / perSecond - performance.now()));
  }
  await Promise.all(waits);
  for (const watch of watches) watch.close();
  return times;
}

async function allServed(port, names) {
  for (const name of names) while ((await serialOf(port, name)) === null) await delay(5);
}

/** A figure in milliseconds, and the most that the issue allows. */
function figure(name, milliseconds, goal = null) {
  return { figure: name, measured: milliseconds, unit: 'ms', goal };
}
