/**
 * Shares turns of the event loop among pieces of work, so that whatever else the process does waits for a short turn and not
 * for all of them. Pieces run in the order in which they were added. A piece that throws is an uncaught exception.
 */
export class EventLoopTurns {
  private readonly pieces = new Set<() => void>();
  private isScheduled = false;

  /** @param longestTurn how long pieces go on in one turn, in milliseconds; 0: each piece has a turn of its own */
  constructor(private readonly longestTurn = 0) {}

  /** Has the piece run once, in this turn or a later one. One that waits already is not added again. */
  add(piece: () => void): void {
    this.pieces.add(piece);
    this.schedule();
  }

  /** Resolves in a turn of the caller's own, as long as `longestTurn` is 0. */
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
    // What a piece adds goes behind the others, and may run in the same turn.
    for (const piece of this.pieces) {
      this.pieces.delete(piece);
      piece();
      if (performance.now() > end) break;
    }
    this.schedule();
  }
}

const shared = new EventLoopTurns();

/**
 * Waits between two steps of work that takes long. In each turn of the event loop one such work goes on, whichever it is:
 * requests between them wait for one step, not for one of each list and export that is under way.
 */
export function nextTurn(): Promise<void> {
  return shared.next();
}

const ofChanges = new EventLoopTurns();

/**
 * The same between two steps of a change that holds its zone: other changes wait for it, so it does not take turns with lists
 * and exports, of which a tenant may have many.
 */
export function nextTurnOfChange(): Promise<void> {
  return ofChanges.next();
}

/** In milliseconds; a turn that takes longer had something to do. */
const IDLE_TURN = 0.2;

/**
 * Lets everybody else go first: resolves after a turn of the event loop that had nothing to do, or after `longest` milliseconds.
 * For steps of long work that wait for no answer of others, such as those of an import: with one turn between two of them,
 * requests wait ever longer where the machine has too little for both.
 */
export async function othersFirst(longest: number): Promise<void> {
  const end = performance.now() + longest;
  let begun;
  do {
    begun = performance.now();
    await nextTurn();
  } while (performance.now() - begun > IDLE_TURN && performance.now() < end);
}
