#!/usr/bin/env node
/**
 * The responsiveness of the console in a real Chromium, with the service on loopback:
 *
 *   npm run bench:console
 *   npm run bench:console -- --quick --no-save
 *
 * Opens a zone of 100,000 records (`--quick`: 10,000), searches, types and scrolls, several times with a cold cache.
 * Prints each figure next to its budget, writes results/console.json, and exits with 1 above a budget.
 */
/* global document, performance, PerformanceObserver, requestAnimationFrame -- some functions run in the page */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { isMissed, judged, judgedAtMost } from './goals.mjs';
import { ROOT, stop } from './processes.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { startZonewright } from './servers/zonewright.mjs';
import { round, summarize } from './statistics.mjs';

const { values } = parseArgs({
  allowNegative: true,
  options: { quick: { type: 'boolean', default: false }, save: { type: 'boolean', default: true } },
});
const RECORDS = values.quick ? 10_000 : 100_000;
const ROUNDS = values.quick ? 2 : 7;
const SCROLL_MILLISECONDS = 3000;
const ZONE = 'large.example.';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const KIB = 1024;

const machine = machineFacts();
const measured = await inScratch(measure);
const goals = judgements(measured);
console.table(goals);
if (values.save) await saveResults('console', machine, { records: RECORDS, rounds: ROUNDS, goals, measured });
process.exit(goals.some(isMissed) ? 1 : 0);

async function measure(directory) {
  const service = await startZonewright({ name: 'console', directory, databaseUrl: 'sqlite:bench.sqlite' });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await fill(service);
    const rounds = [];
    for (let n = 0; n < ROUNDS; n += 1) rounds.push(await oneRound(browser, service));
    return { ...medians(rounds), ...bundle() };
  } finally {
    await browser.close();
    await stop(service.child);
  }
}

async function fill({ call }) {
  const { id } = await call('POST', '/v1/domains', { name: ZONE, email: 'hostmaster@example.org' });
  const lines = Array.from({ length: RECORDS }, (_, n) => `h${n} A 192.0.2.${n % 250}`);
  await call('POST', `/v1/domains/${id}/import`, lines.join('\n'), 'text/dns');
}

/** One person with an empty cache. */
async function oneRound(browser, { url, token }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  try {
    await page.addInitScript(observe);
    await page.goto(`${url}/console/sign-in`);
    await page.getByLabel('Token').fill(token);
    const firstPaint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
    );
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('table', { name: 'Zones' }).waitFor();
    await page.goto(`${url}/console/zones/${ZONE}/records`);
    const open = await shownAt(page, 'h0');
    const search = await searched(page, `h${RECORDS - 7}`);
    await page.getByRole('searchbox', { name: 'Search records' }).fill('');
    await shownAt(page, 'h0');
    const scrolled = await page.evaluate(scroll, SCROLL_MILLISECONDS);
    const seen = await page.evaluate(() => globalThis.seen);
    return { firstPaint, open, search, ...scrolled, ...seen, ...(await weight(context, page)) };
  } finally {
    await context.close();
  }
}

/** Milliseconds from the navigation until a record of this name is in the table. */
async function shownAt(page, name) {
  const at = await page.waitForFunction((wanted) => {
    const cells = document.querySelectorAll('[role=grid] [role=gridcell] .shown-text');
    return [...cells].some((cell) => cell.textContent === wanted) ? performance.now() : false;
  }, name);
  return at.jsonValue();
}

async function searched(page, name) {
  const began = await page.evaluate(() => performance.now());
  await page.getByRole('searchbox', { name: 'Search records' }).pressSequentially(name, { delay: 30 });
  const typed = await page.evaluate(() => performance.now());
  return (await shownAt(page, name)) - Math.max(began, typed);
}

/** Runs in the page: collects slowness metrics of the browser. */
function observe() {
  const seen = { shift: 0, interaction: 0 };
  globalThis.seen = seen;
  const watch = (type, note, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options });
  watch('layout-shift', ({ value, hadRecentInput }) => (seen.shift += hadRecentInput ? 0 : value));
  watch(
    'event',
    ({ duration, interactionId }) => {
      if (interactionId > 0) seen.interaction = Math.max(seen.interaction, duration);
    },
    { durationThreshold: 16 },
  );
}

/** Runs in the page: scrolls at reading speed and counts frames. */
function scroll(milliseconds) {
  let longTask = 0;
  const observer = new PerformanceObserver((list) =>
    list.getEntries().forEach(({ duration }) => (longTask = Math.max(longTask, duration))),
  );
  observer.observe({ type: 'longtask' });
  return new Promise((resolve) => {
    let frames = 0;
    const began = performance.now();
    const step = (now) => {
      if (now - began >= milliseconds) {
        observer.disconnect();
        resolve({ framesPerSecond: (1000 * frames) / (now - began), longTaskOfScrolling: longTask });
        return;
      }
      frames += 1;
      document.scrollingElement.scrollTop += 400;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

async function weight(context, page) {
  const devtools = await context.newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  return { heapMebibytes: usedSize / KIB / KIB, elements };
}

/** Downloaded files, as transferred: all of them, and those before the first screen. */
function bundle() {
  const assets = path.join(ROOT, 'dist/console/assets');
  const size = (ending) =>
    readdirSync(assets)
      .filter((name) => name.endsWith(`${ending}.br`))
      .reduce((sum, name) => sum + readFileSync(path.join(assets, name)).length, 0) / KIB;
  return {
    initialKibibytes: round(initialSize(path.dirname(assets)) / KIB, 1),
    scriptsKibibytes: round(size('.js'), 1),
    stylesKibibytes: round(size('.css'), 1),
  };
}

/** Octets of the first script and of those that it imports. */
function initialSize(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8'));
  const files = new Set();
  const add = (name) => {
    const { file, imports = [] } = manifest[name];
    if (files.has(file)) return;
    files.add(file);
    imports.forEach(add);
  };
  add('index.html');
  return [...files].reduce((sum, file) => sum + readFileSync(path.join(folder, `${file}.br`)).length, 0);
}

function medians(rounds) {
  const names = Object.keys(rounds[0]);
  return Object.fromEntries(names.map((name) => [name, round(summarize(rounds.map((one) => one[name])).median, 3)]));
}

function judgements(found) {
  return [
    judgedAtMost('first contentful paint, cold, ms', 400, found.firstPaint),
    judgedAtMost('zone open, ms', 800, found.open),
    judgedAtMost('answer of a search shown, ms', 600, found.search),
    judgedAtMost('interaction to next paint, ms', 60, found.interaction),
    judged({ what: 'frames a second while scrolling', least: 55 }, found.framesPerSecond),
    judgedAtMost('longest task while scrolling, ms', 50, found.longTaskOfScrolling),
    judgedAtMost('layout shift', 0.05, found.shift),
    judgedAtMost('elements', 5000, found.elements),
    judgedAtMost('heap, MiB', 10, found.heapMebibytes),
    judgedAtMost('scripts before the first screen, KiB', 90, found.initialKibibytes),
    judgedAtMost('scripts, KiB', 275, found.scriptsKibibytes),
    judgedAtMost('styles, KiB', 15, found.stylesKibibytes),
  ];
}
