/**
 * A plugin with a change listener that counts its entries and their delay in milliseconds. It writes both to a file in
 * the working directory four times a second. While a file `blocked` exists, it does not resolve. With `--expose-gc` it
 * reports the heap in use.
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 250;
/** Number of entries with stored times. */
const KEPT = 200_000;

let count = 0;
let [firstAt, lastAt] = [0, 0];
const delays = [];
let written = '';
let isBlocked = false;

class Listening {
  constructor() {
    setInterval(write, INTERVAL_MS).unref();
  }

  async receive(entries, signal) {
    while (isBlocked) await delay(INTERVAL_MS, undefined, { signal });
    const now = performance.timeOrigin + performance.now();
    if (count === 0) firstAt = now;
    lastAt = now;
    count += entries.length;
    for (const { at } of entries) if (delays.length < KEPT) delays.push(Math.round(now - at / 1000));
  }
}

function write() {
  isBlocked = existsSync('blocked');
  globalThis.gc?.();
  const heap = globalThis.gc === undefined ? null : process.memoryUsage().heapUsed;
  const text = JSON.stringify({ pid: process.pid, count, firstAt, lastAt, heap, delays });
  if (text === written) return;
  written = text;
  const file = `listening-${process.pid}.json`;
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

export default {
  name: 'listening',
  zonewright: '*',
  api: () => ({ listeners: [{ name: 'listening', listener: Listening }] }),
};
