import { ThrottledLogger } from '../throttled-logger.js';
import { ServiceError } from '../service-error.js';
import { Agenda, type Due } from './agenda.js';
import { Limiter, type Release, type Slots } from './limiter.js';

export interface FairSlots extends Slots {
  readonly perKey?: number;
  /** Name in warnings about waiting. No warnings without it. */
  readonly things?: string;
  /** Unit in warnings, such as `octets`. Default: `things`. */
  readonly units?: string;
  /** Milliseconds. Default: no limit. */
  readonly timeLimit?: number;
}

/** `hasSlot` is false after the time limit. */
type Begin = (hasSlot: boolean) => void;

interface Line {
  readonly key: string;
  readonly waiting: Set<Waiting>;
}

class Waiting implements Due {
  dueAt = Infinity;
  heapIndex = -1;
  leave: Release = () => undefined;

  constructor(
    readonly count: number,
    readonly begin: Begin,
    readonly act: () => void,
  ) {}
}

/** First in, first out for each key, round robin among keys, so a busy key delays only itself. */
export class FairLimiter extends Limiter {
  private readonly lines = new Map<string, Line>();
  /** Lines that may take another slot, in round robin order. */
  private readonly ready = new Set<Line>();
  private readonly deadlines = new Agenda();
  private readonly waitWarning = new ThrottledLogger();

  constructor(private readonly fairSlots: FairSlots) {
    super(fairSlots);
  }

  isWaiting(key: string): boolean {
    return this.lines.has(key);
  }

  /** Calls `begin` now or when a slot is free. @returns releases the slot or stops waiting; later calls do nothing */
  enter(key: string, begin: Begin): Release {
    const release = this.tryTake(key);
    if (release === null) return this.wait(key, 1, begin);
    begin(true);
    return release;
  }

  /** @throws ServiceError `unavailable` after the time limit */
  slot(key = ''): Promise<Release> {
    return new Promise((resolve, reject) => {
      const release = this.enter(key, (hasSlot) => {
        if (hasSlot) resolve(() => release());
        else reject(new ServiceError('unavailable', 'The service is busy; try again later.'));
      });
    });
  }

  /** @throws ServiceError `unavailable` after the time limit */
  manySlots(key: string, count: number): Promise<Release> {
    return new Promise((resolve, reject) => {
      // Requests for few slots must not overtake a request for many.
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

  /** @throws errors of `work` and of `slot` */
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
      this.ready.delete(line);
      this.remove(line, first);
      first.begin(true);
    }
  }
}
