import { RareWarning } from '../rare-warning.js';

/** How many pieces of work may be under way at the same time, and how long others wait for their turn. */
export interface PlaceBounds {
  /** Of one client. */
  readonly perClient: number;
  readonly inAll: number;
  /** In milliseconds. */
  readonly patience: number;
}

/** Begins what has a place now, or what has waited for it too long. */
type Begin = (hasPlace: boolean) => void;

interface Waiting {
  readonly begin: Begin;
  readonly since: number;
}

/** What one client asks for. */
interface Line {
  readonly client: string;
  underWay: number;
  /** The one that has waited longest comes first. */
  readonly waiting: Set<Waiting>;
}

/** How often those are looked for who have waited too long, in milliseconds. */
const PATIENCE_INTERVAL = 250;

/**
 * Bounds how many requests, or other pieces of work, are under way. The others wait: those of one client in the order in
 * which they came, and a place that becomes free goes to each client in turn, so that a client with many requests waits for
 * itself alone.
 */
export class Places {
  private readonly lines = new Map<string, Line>();
  /** Clients with a request that waits, and that may have one more under way; the next in turn comes first. */
  private readonly ready = new Set<Line>();
  private underWay = 0;
  private waiting = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly warning = new RareWarning();

  /** @param things what is bounded, in words for a warning that it has to wait; `null`: that is nothing to warn of */
  constructor(
    private readonly bounds: PlaceBounds,
    private readonly things: string | null = 'requests',
  ) {}

  /**
   * Calls `begin` at once or later.
   * @returns what gives the place back, or leaves the line; only its first call counts
   */
  take(client: string, begin: Begin): () => void {
    const line = this.lineOf(client);
    if (line.waiting.size > 0 || !this.hasRoom(line)) return this.wait(line, begin);
    this.count(line, 1);
    begin(true);
    return this.endOnce(line);
  }

  private lineOf(client: string): Line {
    let line = this.lines.get(client);
    if (line === undefined) {
      line = { client, underWay: 0, waiting: new Set() };
      this.lines.set(client, line);
    }
    return line;
  }

  private hasRoom({ underWay }: Line): boolean {
    return underWay < this.bounds.perClient && this.underWay < this.bounds.inAll;
  }

  private count(line: Line, change: 1 | -1): void {
    line.underWay += change;
    this.underWay += change;
  }

  private endOnce(line: Line): () => void {
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.count(line, -1);
      this.settle(line);
      this.fill();
    };
  }

  private wait(line: Line, begin: Begin): () => void {
    if (this.things !== null)
      this.warning.warn(
        `${this.things} of ${line.client} wait: ${line.underWay} of its own and ${this.underWay} of all clients are under way`,
      );
    const waiting: Waiting = {
      since: performance.now(),
      begin: (hasPlace) => {
        leave = hasPlace ? this.endOnce(line) : () => undefined;
        begin(hasPlace);
      },
    };
    let leave = (): void => {
      this.remove(line, waiting);
      this.settle(line);
    };
    this.add(line, waiting);
    return () => leave();
  }

  private add(line: Line, waiting: Waiting): void {
    line.waiting.add(waiting);
    this.settle(line);
    this.waiting += 1;
    this.timer ??= setInterval(() => this.endPatience(), PATIENCE_INTERVAL).unref();
  }

  private remove(line: Line, waiting: Waiting): void {
    if (!line.waiting.delete(waiting)) return;
    this.waiting -= 1;
    if (this.waiting > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  /** Puts a line where it belongs after it has changed. */
  private settle(line: Line): void {
    if (line.waiting.size > 0 && line.underWay < this.bounds.perClient) this.ready.add(line);
    else this.ready.delete(line);
    if (line.waiting.size === 0 && line.underWay === 0) this.lines.delete(line.client);
  }

  private fill(): void {
    while (this.underWay < this.bounds.inAll) {
      const [line] = this.ready;
      const [first] = line?.waiting ?? [];
      if (line === undefined || first === undefined) return;
      this.remove(line, first);
      this.count(line, 1);
      // To the end of the round, as far as it has more.
      this.ready.delete(line);
      this.settle(line);
      first.begin(true);
    }
  }

  private endPatience(): void {
    const longAgo = performance.now() - this.bounds.patience;
    for (const line of [...this.lines.values()]) {
      for (const waiting of [...line.waiting]) {
        if (waiting.since > longAgo) break;
        this.remove(line, waiting);
        this.settle(line);
        waiting.begin(false);
      }
    }
  }
}
