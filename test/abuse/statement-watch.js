/**
 * Preloaded into a service: logs slow SQLite statements, which block the event loop. Counts CPU time, so that other
 * processes do not matter.
 */
import { appendFileSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** In milliseconds; the kernel counts in steps of 4. */
const WORTH_A_LINE = 12;

const figures = Buffer.alloc(64);

/** That of the main thread, in milliseconds. */
function processorTime(schedule) {
  const octets = readSync(schedule, figures, 0, figures.length, 0);
  return Number(figures.toString('latin1', 0, octets).split(' ')[0]) / 1e6;
}

function watch(prototype, schedule) {
  const note = (statement, began) => {
    const took = processorTime(schedule) - began;
    if (took < WORTH_A_LINE) return;
    appendFileSync(
      process.env.LONGEST_STATEMENTS,
      `${JSON.stringify({ at: Date.now(), took, sql: statement.source })}\n`,
    );
  };
  for (const method of ['run', 'get', 'all']) {
    const original = prototype[method];
    prototype[method] = function watched(...values) {
      const began = processorTime(schedule);
      try {
        return original.apply(this, values);
      } finally {
        note(this, began);
      }
    };
  }
  const { iterate } = prototype;
  prototype.iterate = function* watched(...values) {
    const began = processorTime(schedule);
    try {
      yield* iterate.apply(this, values);
    } finally {
      note(this, began);
    }
  };
}

if (isMainThread) {
  const driver = Number(process.versions.napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3';
  const Database = createRequire(import.meta.url)(driver);
  const database = new Database(':memory:');
  watch(Object.getPrototypeOf(database.prepare('SELECT 1')), openSync('/proc/self/schedstat'));
  database.close();
}
