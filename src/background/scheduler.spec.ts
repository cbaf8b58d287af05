import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { currentMetrics } from '../observability/metrics.js';
import { Scheduler } from './scheduler.js';
import type { BackgroundTask } from './background-task.js';
import { LeaseRepository } from './lease.repository.js';
import { HEARTBEAT_TIMEOUT, HeartbeatMonitor, newOwnerId, Heartbeats } from './heartbeat.js';

const LOGGED: string[] = [];
const FAILURE_MESSAGES = { failing: 'It is late', recovered: 'It is in time again.' };

let background: Scheduler;
beforeEach(() => {
  LOGGED.length = 0;
  const note = (message: unknown): void => void LOGGED.push(String(message));
  Logger.overrideLogger({ log: note, warn: note, error: note });
  // Tasks without a lease make no queries.
  background = new Scheduler(Object.create(LeaseRepository.prototype) as LeaseRepository);
});
afterEach(async () => {
  await background.stop();
  Logger.overrideLogger(false);
});

/** Resolves as soon as the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(1);
}

function valueOf(metric: string, task: string): number | undefined {
  const figures = currentMetrics().filter(({ name }) => name === metric);
  return figures.flatMap(({ values }) => values).find(({ labels }) => labels.task === task)?.value;
}

/** A task that counts its runs. */
function counted(task: Partial<BackgroundTask> & Pick<BackgroundTask, 'name'>): BackgroundTask & { runs: number } {
  const made = { every: Infinity, runs: 0, ...task, run: (signal: AbortSignal) => run(signal) };
  const run = async (signal: AbortSignal): Promise<void> => {
    made.runs += 1;
    await task.run?.(signal);
  };
  return made;
}

describe('a background task', () => {
  it('runs again and again, from the start of the runtime on', async () => {
    const task = counted({ name: 'often', every: 2, runOnStart: true });
    background.add(task);
    await delay(10);
    expect(task.runs).toBe(0);
    background.start();
    await until(() => task.runs > 2);
  });

  it('runs one more time after any number of wakes during a run', async () => {
    let go = (): void => undefined;
    const task = counted({ name: 'woken', run: () => new Promise((resolve) => (go = resolve)) });
    const handle = background.add(task);
    background.start();
    handle.trigger();
    await until(() => task.runs === 1);
    for (let count = 0; count < 5; count += 1) handle.trigger();
    go();
    await until(() => task.runs === 2);
    go();
    await delay(20);
    expect(task.runs).toBe(2);
  });

  it('rests for its requested time despite wakes', async () => {
    const begun: number[] = [];
    const handle = background.add(
      counted({
        name: 'resting',
        run: () => {
          begun.push(performance.now());
          handle.delayNext(60);
          return Promise.resolve();
        },
      }),
    );
    background.start();
    handle.trigger();
    await until(() => begun.length === 1);
    handle.trigger();
    await until(() => begun.length === 2);
    expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(55);
  });

  it('is tried again after a failure, which the log and the metrics show', async () => {
    const task = counted({
      name: 'failing',
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: () => (task.runs < 3 ? Promise.reject(new Error('no database')) : Promise.resolve()),
    });
    background.add(task);
    background.start();
    await until(() => valueOf('zonewright_background_failures_total', 'failing') === 1);
    expect(valueOf('zonewright_background_last_success_timestamp_seconds', 'failing')).toBeUndefined();
    await until(() => valueOf('zonewright_background_last_success_timestamp_seconds', 'failing') !== undefined);
    expect(task.runs).toBe(3);
    expect(valueOf('zonewright_background_failures_total', 'failing')).toBe(2);
    expect(valueOf('zonewright_background_run_duration_seconds', 'failing')).toBeLessThan(1);
    // Leftovers of other test files in the worker may log too.
    expect(LOGGED.filter((line) => line.startsWith(FAILURE_MESSAGES.failing))).toEqual([
      'It is late: no database. Trying again.',
    ]);
  }, 15_000);
});

describe('a stop', () => {
  it('ends the tasks in the reverse order, each with its signal aborted and its last run over', async () => {
    const ended: string[] = [];
    for (const name of ['first', 'second'])
      background.add(
        counted({
          name,
          runOnStart: true,
          run: async (signal) => {
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            await delay(10);
            ended.push(`${name} run`);
          },
          shutdown: () => Promise.resolve(void ended.push(`${name} end`)),
        }),
      );
    background.start();
    await delay(5);
    await background.stop();
    expect(ended).toEqual(['second run', 'second end', 'first run', 'first end']);
    expect(valueOf('zonewright_background_run_duration_seconds', 'first')).toBeUndefined();
  });

  it('abandons tasks that exceed the grace, logs them, and leaves others time to write', async () => {
    let written = false;
    background.add(
      counted({
        name: 'writing',
        shutdown: async () => {
          await delay(50);
          written = true;
        },
      }),
    );
    const task = counted({ name: 'hanging', runOnStart: true, run: () => new Promise(() => undefined) });
    background.add(task);
    background.start();
    await until(() => task.runs === 1);
    await background.stop(0);
    expect(LOGGED).toEqual(['The background task hanging does not end, and is left behind.']);
    expect(written).toBe(true);
  }, 15_000);

  it('aborts all runs together, however long one of them takes to end', async () => {
    const aborted: string[] = [];
    const run = (name: string, ends: number) => async (signal: AbortSignal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted.push(name);
      await delay(ends);
      aborted.push(`${name} over`);
    };
    background.add(counted({ name: 'first', runOnStart: true, run: run('first', 0) }));
    background.add(counted({ name: 'last', runOnStart: true, run: run('last', 50) }));
    background.start();
    await delay(5);
    await background.stop();
    expect(aborted.slice(0, 2).sort()).toEqual(['first', 'last']);
  });
});

describe('heartbeats', () => {
  it('count as stopped from the first such check, by the clock of the checking process', () => {
    const heartbeats = new Heartbeats();
    const look = (renewals: number, now: number) => heartbeats.look([{ key: 'other', renewals }], now).get('other');
    expect(look(7, 0)).toBe(0);
    expect(look(7, HEARTBEAT_TIMEOUT)).toBe(HEARTBEAT_TIMEOUT);
    expect(look(8, HEARTBEAT_TIMEOUT + 1)).toBe(0);
    heartbeats.look([], HEARTBEAT_TIMEOUT + 2);
    expect(look(8, HEARTBEAT_TIMEOUT + 3)).toBe(0);
  });
});

describe('the holder is dead', () => {
  const elsewhere = 'another-machine/1/some';
  const look = (watch: HeartbeatMonitor, holder: string, now: number) =>
    watch.deadAmong([{ key: holder, renewals: 1 }], now).has(holder);

  it('when it has not renewed that for its life time, wherever it is', () => {
    const watch = new HeartbeatMonitor('own');
    expect([0, HEARTBEAT_TIMEOUT - 1, HEARTBEAT_TIMEOUT].map((now) => look(watch, elsewhere, now))).toEqual([
      false,
      false,
      true,
    ]);
    expect(look(watch, 'own', 2 * HEARTBEAT_TIMEOUT)).toBe(false);
  });

  it('immediately for an exited local process, at the first check', () => {
    const living = newOwnerId();
    const [host] = living.split('/');
    const ended = `${host}/${process.pid}/of a process with the same number`;
    expect(look(new HeartbeatMonitor('own'), living, 0)).toBe(false);
    const watch = new HeartbeatMonitor('own');
    expect(look(watch, ended, 0)).toBe(true);
    expect(look(watch, ended, 1)).toBe(false);
  });
});
