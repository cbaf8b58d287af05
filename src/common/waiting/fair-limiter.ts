import { ThrottledLogger } from '../throttled-logger.js';
import { ServiceError } from '../service-error.js';
import { Agenda, type Due } from './agenda.js';
import { Limiter, type Release, type Slots } from './limiter.js';

export interface FairSlots extends Slots {
  readonly perKey?: number;
  /** Where it is given, the log warns of things that have to wait. */
  readonly things?: string;
  /** What is counted of them, where that is not the things themselves: `octets`. */
  readonly units?: string;
  /** How long one waits at most, in milliseconds; for good unless it is said. */
  readonly timeLimit?: number;
}

/** Begins what has a slot now, or what has waited for it too long. */
type Begin = (hasSlot: boolean) => void;

/** Those of one key that wait. */
interface Line {
  readonly key: string;
  /** The one that has waited longest comes first. */
  readonly waiting: Set<Waiting>;
}

class Waiting implements Due {
  dueAt = Infinity;
  heapIndex = -1;
  /** Gives slots back, or leaves the line. */
  leave: Release = () => undefined;

  constructor(
    readonly count: number,
    readonly begin: Begin,
    readonly act: () => void,
  ) {}
}

/**
 * A limiter for those who wait: those of one key in the order in which they came, and a slot that becomes free goes to each key
 * in turn, so that a key with many requests waits for itself alone.
 */
export class FairLimiter extends Limiter {
  private readonly lines = new Map<string, Line>();
  /** Lines that may have one more slot; the next in turn comes first. */
  private readonly ready = new Set<Line>();
  private readonly deadlines = new Agenda();
  private readonly waitWarning = new ThrottledLogger();

  constructor(private readonly fairSlots: FairSlots) {
    super(fairSlots);
  }

  /** Whether any of a key wait for a slot. */
  isWaiting(key: string): boolean {
    return this.lines.has(key);
  }

  /**
   * Calls `begin` at once or later.
   * @returns what gives the slot back, or stops waiting; only its first call counts
   */
  enter(key: string, begin: Begin): Release {
    const release = this.tryTake(key);
    if (release === null) return this.wait(key, 1, begin);
    begin(true);
    return release;
  }

  /**
   * Resolves to what gives the slot back.
   * @throws ServiceError `unavailable` where none was free within the time limit
   */
  slot(key = ''): Promise<Release> {
    return new Promise((resolve, reject) => {
      const release = this.enter(key, (hasSlot) => {
        if (hasSlot) resolve(() => release());
        else reject(new ServiceError('unavailable', 'The service is busy; try again later.'));
      });
    });
  }

  /**
   * Resolves to what gives several slots back.
   * @throws ServiceError `unavailable` where they were not free within the time limit
   */
  manySlots(key: string, count: number): Promise<Release> {
    return new Promise((resolve, reject) => {
      // One that needs many waits in front of those that need few.
      const taken = this.ready.size > 0 ? null : this.tryTakeMany(key, count);
      if (taken !== null) {
        resolve(taken);
        return;
      }
      const release = this.wait(key, count, (hasSlots) => {
        if (hasSlots) resolve(() => release());
        else reject(new ServiceError('unavailable', 'The service is busy; try again later.'));
      });
    });
  }

  /** Runs `work` in a slot. @throws what `work` throws, and what `slot` does */
  async run<T>(work: () => Promise<T>, key = ''): Promise<T> {
    const release = this.tryTake(key) ?? (await this.slot(key));
    try {
      return await work();
    } finally {
      release();
    }
  }

  protected override free(key: string, count: number): void {
    super.free(key, count);
    const line = this.lines.get(key);
    if (line !== undefined) this.settle(line);
    this.fill();
  }

  private wait(key: string, count: number, begin: Begin): Release {
    const { things, units = things, timeLimit } = this.fairSlots;
    if (things !== undefined)
      this.waitWarning.warn(
        `${things} of ${key} wait: ${this.countOf(key)} ${units} of its own and ${this.count} of all clients are under way`,
      );
    const line = this.lineOf(key);
    const waiting = new Waiting(count, begin, () => {
      waiting.leave();
      waiting.leave = () => undefined;
      begin(false);
    });
    waiting.leave = () => this.remove(line, waiting);
    line.waiting.add(waiting);
    this.settle(line);
    if (timeLimit !== undefined) this.deadlines.set(waiting, performance.now() + timeLimit);
    return () => waiting.leave();
  }

  private lineOf(key: string): Line {
    let line = this.lines.get(key);
    if (line === undefined) {
      line = { key, waiting: new Set() };
      this.lines.set(key, line);
    }
    return line;
  }

  private remove(line: Line, waiting: Waiting): void {
    if (!line.waiting.delete(waiting)) return;
    this.deadlines.set(waiting, Infinity);
    this.settle(line);
  }

  /** Puts a line where it belongs after it has changed. */
  private settle(line: Line): void {
    if (line.waiting.size === 0) this.lines.delete(line.key);
    const [first] = line.waiting;
    if (first !== undefined && this.isBelowItsBound(line.key, first.count)) this.ready.add(line);
    else this.ready.delete(line);
  }

  private fill(): void {
    for (const line of this.ready) {
      const [first] = line.waiting;
      const release = first === undefined ? null : this.tryTakeMany(line.key, first.count);
      if (first === undefined || release === null) return;
      first.leave = release;
      // To the end of the round, as far as it has more.
      this.ready.delete(line);
      this.remove(line, first);
      first.begin(true);
    }
  }
}
