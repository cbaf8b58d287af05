import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { readVitalSigns } from './call-mark.js';
import { type Location, StackSampler } from './stack-sampler.js';
import { RELEASE, type ThreadData } from './watchdog-data.js';

/** In milliseconds. */
const LOOK_EVERY = 250;
/** An event loop that has not come round for so long stands still. */
const STANDSTILL = 2000;
const SAID_AGAIN = 60_000;
const STDERR = 2;

// Written by `Watchdog`.
const { vitalSigns, folders, limit, isJson } = workerData as ThreadData;
const names = new Map<number, string>();
let beats = -1;
/** Counted in looks: what stops the whole process stops this thread, too. */
let still = 0;
let saidAt: number | null = null;
let found = '';
let isOfAPlugin = false;

parentPort?.on('message', ([mark, name]: [number, string]) => names.set(mark, name));
const thread = new StackSampler();
setInterval(look, LOOK_EVERY);

function look(): void {
  const now = readVitalSigns(vitalSigns);
  if (now.beats !== beats) {
    if (saidAt !== null) say('warn', `the event loop runs again, after ${seconds(still)} s in ${found}`);
    [beats, still, saidAt] = [now.beats, 0, null];
    return;
  }
  still += LOOK_EVERY;
  if (still === STANDSTILL) void investigate();
  if (saidAt !== null && still - saidAt >= SAID_AGAIN) tell();
  if (limit > 0 && still >= limit && saidAt !== null && isOfAPlugin) end();
}

/** Looks where the main thread is, and lets signals end the process. */
async function investigate(): Promise<void> {
  const { mark } = readVitalSigns(vitalSigns);
  const marked = mark === 0 ? null : (names.get(mark) ?? null);
  // What is not JavaScript, such as a statement of the database, has no location, and answers when it is over.
  const location = await thread.look(`globalThis[Symbol.for(${JSON.stringify(RELEASE)})]()`, (stack) => ownerOf(stack));
  if (readVitalSigns(vitalSigns).beats !== beats) return;
  isOfAPlugin = marked !== null || (location?.owner ?? null) !== null;
  found = whereabouts(marked, location);
  tell();
}

/** The plugin that the innermost call of one is in. */
function ownerOf(urls: readonly string[]): string | null {
  for (const url of urls) {
    const owner = folders.find(({ folder }) => url.startsWith(folder));
    if (owner !== undefined) return owner.plugin;
  }
  return null;
}

function whereabouts(marked: string | null, location: Location | null): string {
  const owner = location?.owner ?? null;
  const words = [
    owner === null ? null : `plugin ${owner}`,
    marked === null ? null : `the call of ${marked}`,
    location === null ? null : `at ${location.at}`,
  ].filter((word) => word !== null);
  return words.length === 0 ? 'native code' : words.join(', ');
}

function tell(): void {
  saidAt = still;
  const ending = limit > 0 && isOfAPlugin ? `; it is ended after ${seconds(limit)} s` : '';
  say('error', `the event loop has been blocked for ${seconds(still)} s in ${found}: no request is answered${ending}`);
}

/** SIGKILL: nothing else reaches a thread that does not come to an end. */
function end(): void {
  say('error', `the event loop has been blocked for ${seconds(still)} s in ${found}: the process is ended`);
  process.kill(process.pid, 'SIGKILL');
}

/** Not by console.error, which asks the main thread to write. */
function say(level: 'warn' | 'error', msg: string): void {
  const time = new Date().toISOString();
  const line = JSON.stringify({ level, time, pid: process.pid, context: 'Watchdog', msg });
  writeSync(STDERR, isJson ? `${line}\n` : `zonewright: ${msg}\n`);
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000);
}
