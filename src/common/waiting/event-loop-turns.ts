/** Runs pieces of work in order, a short turn at a time. If a piece throws, that is an uncaught exception. */
export class EventLoopTurns {
  private readonly pieces = new Set<() => void>();
  private isScheduled = false;

  /** @param longestTurn milliseconds for pieces in one turn; 0: one piece a turn */
  constructor(private readonly longestTurn = 0) {}

  /** Runs the piece once. Does not add a waiting piece again. */
  add(piece: () => void): void {
    this.pieces.add(piece);
    this.schedule();
  }

  /** Resolves in a turn of its own if `longestTurn` is 0. */
  next(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  private schedule(): void {
    if (this.isScheduled || this.pieces.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => this.run());
  }

  private run(): void {
    this.isScheduled = false;
    const end = this.longestTurn === 0 ? -Infinity : performance.now() + this.longestTurn;
    // A piece may add pieces, which run last, possibly in this turn.
    for (const piece of this.pieces) {
      this.pieces.delete(piece);
      piece();
      if (performance.now() > end) break;
    }
    this.schedule();
  }
}

const shared = new EventLoopTurns();

/** Waits between two steps of long work. All such work shares the turns, so requests wait for one step only. */
export function nextTurn(): Promise<void> {
  return shared.next();
}

const ofChanges = new EventLoopTurns();

/** For a change that holds its zone. Takes no turns with lists and exports, because other changes wait for it. */
export function nextTurnOfChange(): Promise<void> {
  return ofChanges.next();
}

/** Milliseconds; a longer turn had work to do. */
const IDLE_TURN = 0.2;

/**
 * Resolves after an idle turn or `longest` milliseconds. For imports: with one turn between two steps, requests would
 * wait too long on a slow machine.
 */
export async function othersFirst(longest: number): Promise<void> {
  const end = performance.now() + longest;
  let begun;
  do {
    begun = performance.now();
    await nextTurn();
  } while (performance.now() - begun > IDLE_TURN && performance.now() < end);
}
