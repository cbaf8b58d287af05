import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { beat, tellMarks, vitalSigns, RELEASE, type ThreadData, type WatchdogOptions } from './watchdog-data.js';

const BEAT_EVERY = 250;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Detects a blocked event loop from a thread, and names the plugin. Removes signal handlers, which cannot run then. */
export class Watchdog {
  private readonly logger = new Logger('Watchdog');
  private readonly worker: Worker;
  private readonly timer: NodeJS.Timeout;
  private readonly released = new Map<NodeJS.Signals, readonly NodeJS.SignalsListener[]>();

  constructor(options: WatchdogOptions) {
    Object.defineProperty(globalThis, Symbol.for(RELEASE), { value: () => this.release(), configurable: true });
    const workerData: ThreadData = { ...options, vitalSigns };
    this.worker = new Worker(new URL('./watchdog-thread.js', import.meta.url), { workerData, execArgv: [] });
    // The service works without it.
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

  /** Runs in the middle of the blocked code. */
  private release(): void {
    for (const signal of SIGNALS) {
      if (this.released.has(signal)) continue;
      // Listeners of `once` must still be called once.
      this.released.set(signal, process.rawListeners(signal) as NodeJS.SignalsListener[]);
      process.removeAllListeners(signal);
    }
  }

  private listenAgain(): void {
    for (const [signal, listeners] of this.released) for (const listener of listeners) process.on(signal, listener);
    this.released.clear();
  }
}
