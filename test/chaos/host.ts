import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { vitalsOf } from '../abuse/vital-signs.js';
import { childrenOf, killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';

const DATABASE_AWAY = /cannot open the database|database cannot take the request/;

const STACK_LINES = 20;

/** A machine that runs the service with several workers. It can crash, restart and shift its clock. */
export class Host {
  private process: ServiceProcess | null = null;
  /** The largest resident memory that any of its processes was seen with, in MiB. */
  largest = 0;

  constructor(
    readonly url: string,
    private readonly directory: string,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly clock: string,
  ) {
    this.setClock(0);
  }

  /** The output of the current and earlier processes. */
  said = '';

  async start(): Promise<void> {
    this.process = await startServiceProcess(this.directory, this.environment);
  }

  /** Until it has started, as systemd does: where the database is away, or goes away meanwhile, it ends with a line. */
  async restart(): Promise<void> {
    for (;;) {
      try {
        await this.start();
        return;
      } catch (error) {
        if (!DATABASE_AWAY.test(String(error))) throw error;
      }
    }
  }

  async kill(): Promise<void> {
    if (this.process === null) return;
    killAll(this.process);
    await this.process.ended;
    this.note();
  }

  /** @returns its exit code */
  async stop(): Promise<number | null> {
    this.process?.signal('SIGTERM');
    const ended = await this.process?.ended;
    this.note();
    return ended?.code ?? null;
  }

  get workers(): readonly number[] {
    return this.process === null || this.process.hasEnded() ? [] : childrenOf(this.process.pid);
  }

  /** Seconds that its clock is ahead, or behind where they are negative. */
  setClock(offset: number): void {
    // In place, since its processes have the file in their memory.
    const file = openSync(this.clock, constants.O_RDWR | constants.O_CREAT);
    writeSync(file, BigInt64Array.of(BigInt(offset)), 0, 8, 0);
    closeSync(file);
  }

  async lookAtMemory(): Promise<void> {
    for (const pid of [this.process?.pid ?? 0, ...this.workers])
      this.largest = Math.max(this.largest, (await vitalsOf(pid))?.rss ?? 0);
  }

  /** Log lines of all its processes that report failures. */
  failures(): string[] {
    const lines = `${this.said}${this.saidLast()}`.split('\n');
    return lines.flatMap((line, at) => {
      // Node's own words: the stack comes behind them.
      if (/unhandled/i.test(line)) return lines.slice(at, at + STACK_LINES);
      const isOrdinary = /worker \d+ (was ended|ended with)/.test(line);
      return !isOrdinary && /failed unexpectedly|"level":"?(error|fatal|50|60)/.test(line) ? [line] : [];
    });
  }

  private note(): void {
    this.said += this.saidLast();
  }

  private saidLast(): string {
    const { stdout = '', stderr = '' } = this.process?.output() ?? {};
    return stdout + stderr;
  }
}
