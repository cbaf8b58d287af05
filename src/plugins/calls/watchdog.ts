import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { beat, tellMarks, vitalSigns } from './call-mark.js';
import { RELEASE, type ThreadData, type WatchdogOptions } from './watchdog-data.js';

/** In milliseconds. */
const BEAT_EVERY = 250;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Notices, from a thread of its own, that the event loop stands still, and says in which plugin. Signals end the process then
 * as if nobody listened to them, because nobody does.
 */
export class Watchdog {
  private readonly logger = new Logger('Watchdog');
  private readonly worker: Worker;
  private readonly timer: NodeJS.Timeout;
  private readonly released = new Map<NodeJS.Signals, readonly NodeJS.SignalsListener[]>();

  constructor(options: WatchdogOptions) {
    Object.defineProperty(globalThis, Symbol.for(RELEASE), { value: () => this.release(), configurable: true });
    const workerData: ThreadData = { ...options, vitalSigns };
    this.worker = new Worker(new URL('./watchdog-thread.js', import.meta.url), { workerData, execArgv: [] });
    // Without it the service does what it did before; nothing else depends on it.
    this.worker.once('error', (error) => this.logger.warn(`the watchdog has ended: ${error.message}`));
    this.worker.unref();
    tellMarks((mark, name) => this.worker.postMessage([mark, name]));
    this.timer = setInterval(() => this.beat(), BEAT_EVERY).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.worker.terminate();
  }

  private beat(): void {
    beat();
    if (this.released.size > 0) this.listenAgain();
  }

  /** Called in the middle of whatever the thread is busy with. */
  private release(): void {
    for (const signal of SIGNALS) {
      if (this.released.has(signal)) continue;
      // Those of `once` among them, which are to be told once all the same.
      this.released.set(signal, process.rawListeners(signal) as NodeJS.SignalsListener[]);
      process.removeAllListeners(signal);
    }
  }

  private listenAgain(): void {
    for (const [signal, listeners] of this.released) for (const listener of listeners) process.on(signal, listener);
    this.released.clear();
  }
}
