import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import type { DatabaseFile } from './database-file.js';
import { Statement } from '../statements/statement.js';
import type { Transaction } from '../transaction.js';

const LOG_SIZE = new Statement<{ readonly log: number; readonly checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');

/** In pages of 4 KiB (16 MiB). */
const LONG_LOG = 4000;
/** Pages that may be copied while changes wait. */
const SHORT_REST = 500;
/** Commits copy the log only without the thread, from 64 MiB on: copying a large log takes seconds. */
const BY_THREAD = new Statement('PRAGMA wal_autocheckpoint = 0');
const BY_COMMITS = new Statement('PRAGMA wal_autocheckpoint = 16000');

const LOOK_EVERY = 100;
const LOOK_AFTER_FAILURE = 5000;

/** A thread runs the built file, also when tests run from source. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/database/sqlite/checkpoint-worker.js' : './checkpoint-worker.js',
  import.meta.url,
);

type Order = 'copy' | 'finish';

/**
 * Copies SQLite's log into the file in a thread, so that a commit needs one sync only. The log restarts only when all
 * of it is copied: the next commit, not the event loop, waits for the last part.
 */
export class Checkpoints {
  private readonly logger = new Logger('Database');
  private worker: Worker | null = null;
  private pass: Promise<void> | null = null;
  private answer: (failure: string | null) => void = () => undefined;
  private nextLook = 0;
  private isOff = false;
  private isByThread = false;

  constructor(
    private readonly path: string,
    private readonly file: DatabaseFile,
  ) {}

  /** Await this between two commits, outside a transaction. Never throws: a failure must not affect later commits. */
  async betweenCommits(tx: Transaction): Promise<void> {
    if (this.isByThread === this.isOff) await this.say(tx);
    if (this.isOff || this.pass !== null || performance.now() < this.nextLook) return;
    this.nextLook = performance.now() + LOOK_EVERY;
    const order = await this.nextOrder(tx).catch((error: unknown) => this.complain(String(error)));
    if (order === null) return;
    this.pass = this.run(order);
    if (order === 'finish') await this.pass;
  }

  private async say(tx: Transaction): Promise<void> {
    this.isByThread = !this.isOff;
    await (this.isByThread ? BY_THREAD : BY_COMMITS)
      .rows(tx, [])
      .catch((error: unknown) => this.complain(String(error)));
  }

  private async nextOrder(tx: Transaction): Promise<Order | null> {
    const { log, checkpointed } = (await LOG_SIZE.first(tx, [])) ?? { log: 0, checkpointed: 0 };
    if (log < LONG_LOG || this.file.moved() !== null) return null;
    const rest = log - checkpointed;
    // After a large change, no commit waits for copying most of the log.
    return rest <= SHORT_REST || (log > 2 * LONG_LOG && rest <= LONG_LOG) ? 'finish' : 'copy';
  }

  /** Its connection must not be the last one: that one copies the log when it closes. */
  async close(): Promise<void> {
    this.isOff = true;
    await this.pass;
    if (this.worker === null) return;
    const ended = once(this.worker, 'exit');
    this.worker.ref();
    this.worker.postMessage('close');
    await ended;
  }

  private async run(order: Order): Promise<void> {
    const failure = await this.tell(order).catch(String);
    this.pass = null;
    if (failure !== null) this.complain(failure);
    // Little is left now.
    else if (order === 'copy') this.nextLook = 0;
  }

  private async tell(order: Order): Promise<string | null> {
    const worker = (this.worker ??= this.start());
    // Keeps the program alive until the answer.
    worker.ref();
    const failure = await new Promise<string | null>((resolve) => {
      this.answer = resolve;
      worker.postMessage(order);
    });
    worker.unref();
    return failure;
  }

  private complain(reason: string): null {
    this.nextLook = performance.now() + LOOK_AFTER_FAILURE;
    this.logger.warn(`the log of ${this.path} was not copied into the file: ${reason}`);
    return null;
  }

  private start(): Worker {
    const options = { workerData: this.path, execArgv: [] };
    const worker = new Worker(THREAD, options);
    worker.on('message', (failure: string | null) => this.answer(failure));
    // From then on, commits copy the log themselves.
    worker.once('error', (error) => this.end(error.message));
    worker.once('exit', () => this.end('the thread has ended'));
    return worker;
  }

  private end(reason: string): void {
    this.isOff = true;
    this.worker = null;
    this.answer(reason);
  }
}
