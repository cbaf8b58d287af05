import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

const MIB = 2 ** 20;
const SAMPLE_EVERY = 100;
/** A question that takes longer has no answer. */
const LONGEST_QUESTION = 60_000;

/** How a process is at one moment. */
export interface Vitals {
  /** Resident memory in MiB. */
  readonly rss: number;
  /** Open descriptors. */
  readonly descriptors: number;
}

/** `null`: the process has exited. */
export async function vitalsOf(pid: number): Promise<Vitals | null> {
  try {
    const [status, descriptors] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readdir(`/proc/${pid}/fd`),
    ]);
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    return kibibytes === undefined ? null : { rss: (Number(kibibytes) * 1024) / MIB, descriptors: descriptors.length };
  } catch {
    return null;
  }
}

/** How long the service takes to say that it is alive, in milliseconds; `Infinity` when it does not. */
export function answerTimeOf(url: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    const question = get(new URL('/healthz', url), { agent: false, timeout: LONGEST_QUESTION }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.complete ? performance.now() - start : Infinity));
    });
    question.once('timeout', () => question.destroy());
    question.once('error', () => resolve(Infinity));
  });
}

/** How long the main thread of a process has been ready to run without a processor, in milliseconds since its start. */
export async function waitedForProcessor(pid: number): Promise<number> {
  try {
    const [, waited] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
    return Number(waited) / 1e6;
  } catch {
    return NaN;
  }
}

/** The worst that was seen of a service. */
export interface Worst extends Vitals {
  /** The longest wait for /healthz, in milliseconds. */
  readonly answerTime: number;
  /** Event loop delay of the test process in milliseconds, to subtract from measured times. */
  readonly ownDelay: number;
  /** The share of time, from 0 to 1, for which the service waited for a processor that others had. */
  readonly waiting: number;
}

/** Samples the service until stopped. */
export class VitalSigns {
  private worst: Omit<Worst, 'ownDelay' | 'waiting'> = { rss: 0, descriptors: 0, answerTime: 0 };
  private readonly ownDelay = monitorEventLoopDelay({ resolution: 10 });
  private readonly end = new AbortController();
  private readonly started = performance.now();
  private readonly waitedBefore: Promise<number>;
  private waited = NaN;
  private readonly watching: Promise<unknown>;

  /** @param onSample receives each sample; `null` after the process has exited */
  constructor(
    private readonly pid: number,
    private readonly url: string,
    private readonly onSample: (vitals: Vitals | null) => void,
  ) {
    this.ownDelay.enable();
    this.waitedBefore = waitedForProcessor(pid);
    this.watching = Promise.all([this.sampleVitals(), this.ask()]);
  }

  async stop(): Promise<Worst> {
    this.end.abort();
    await this.watching;
    this.ownDelay.disable();
    const waiting = this.waited / (performance.now() - this.started);
    return { ...this.worst, ownDelay: this.ownDelay.max / 1e6, waiting };
  }

  private async sampleVitals(): Promise<void> {
    while (!this.end.signal.aborted) {
      const vitals = await vitalsOf(this.pid);
      this.onSample(vitals);
      if (vitals === null) return;
      this.waited = (await waitedForProcessor(this.pid)) - (await this.waitedBefore);
      const { rss, descriptors } = this.worst;
      this.worst = {
        ...this.worst,
        rss: Math.max(rss, vitals.rss),
        descriptors: Math.max(descriptors, vitals.descriptors),
      };
      await delay(SAMPLE_EVERY);
    }
  }

  private async ask(): Promise<void> {
    const ended = once(this.end.signal, 'abort').then(() => null);
    while (!this.end.signal.aborted) {
      const start = performance.now();
      const time = await Promise.race([answerTimeOf(this.url), ended]);
      this.worst = { ...this.worst, answerTime: Math.max(this.worst.answerTime, time ?? performance.now() - start) };
      await delay(SAMPLE_EVERY);
    }
  }
}
