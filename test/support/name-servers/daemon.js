import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnTied } from '../children.js';

const START_TIMEOUT = 20_000;
const STOP_TIMEOUT = 5_000;
const POLL = 20;

/** Debian keeps daemons where only root looks. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** The path of a program, or undefined where it is not installed. */
export function pathOf(program) {
  return FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** A program that runs in the foreground, and that ends with us, however we end. */
export class Daemon {
  #child;
  #log = '';
  #command;
  #isReady;
  #patience;

  /**
   * @param isReady whether it serves; asked until it says so
   * @param patience milliseconds that it may take to serve
   */
  constructor(command, isReady, patience = START_TIMEOUT) {
    this.#command = command;
    this.#isReady = isReady;
    this.#patience = patience;
  }

  /** All output so far. */
  get log() {
    return this.#log;
  }

  get pid() {
    return this.#child.pid;
  }

  /** Resolves when it serves. */
  async start() {
    const [program, ...args] = this.#command;
    const child = spawnTied(pathOf(program) ?? program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (this.#log += text));
    child.once('error', (error) => (this.#log += `${error}\n`));
    const deadline = Date.now() + this.#patience;
    while (!(await this.#isReady())) {
      if (this.#hasEnded() || Date.now() > deadline) throw new Error(`${program} does not start:\n${this.#log}`);
      await delay(POLL);
    }
  }

  /** Resolves when it has ended: of itself, or killed when it takes long. */
  async stop(signal = 'SIGTERM') {
    if (this.#child === undefined || this.#hasEnded()) return;
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill(signal);
    if ((await Promise.race([ended, delay(STOP_TIMEOUT, 'late', { ref: false })])) === 'late') {
      this.#child.kill('SIGKILL');
      await ended;
    }
  }

  #hasEnded() {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}
