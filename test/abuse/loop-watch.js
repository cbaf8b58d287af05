/**
 * Preloaded into a service: logs how long its event loop was blocked. Counts CPU time of the main thread between two
 * timer ticks, so that other processes do not matter.
 */
import { appendFileSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** In milliseconds. */
const LOOK_EVERY = 1;
const WORTH_A_LINE = 15;

const figures = Buffer.alloc(64);

if (isMainThread) {
  const schedule = openSync('/proc/self/schedstat');
  const processorTime = () => {
    const octets = readSync(schedule, figures, 0, figures.length, 0);
    return Number(figures.toString('latin1', 0, octets).split(' ')[0]) / 1e6;
  };
  let before = processorTime();
  setInterval(() => {
    const took = processorTime() - before;
    if (took > WORTH_A_LINE)
      appendFileSync(process.env.EVENT_LOOP_HOLDS, `${JSON.stringify({ at: Date.now(), took: Math.round(took) })}\n`);
    before = processorTime();
  }, LOOK_EVERY).unref();
}
