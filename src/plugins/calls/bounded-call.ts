/** One call of something that may hang. */
export class BoundedCall<T = void> {
  private readonly aborter = new AbortController();
  private giveUp: (reason: Error) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly work: (signal: AbortSignal) => T | Promise<T>) {}

  /**
   * @param deadline in milliseconds
   * @throws what the work throws; OverdueError when it has not ended in time, whatever becomes of it then
   */
  async run(deadline: number): Promise<T> {
    const ended = new Promise<never>((_, reject) => (this.giveUp = reject));
    // An error is dear to make, and most calls end in time.
    this.timer = setTimeout(() => this.end(new OverdueError(deadline), 0), deadline);
    try {
      return await Promise.race([this.begin(), ended]);
    } finally {
      clearTimeout(this.timer);
    }
  }

  /** Tells the work to end, and waits so many milliseconds for that. */
  end(reason: Error, timeLimit: number): void {
    clearTimeout(this.timer);
    this.aborter.abort(reason);
    this.timer = setTimeout(() => this.giveUp(reason), timeLimit);
  }

  /** What it throws at once is a rejection, too. */
  private async begin(): Promise<T> {
    return this.work(this.aborter.signal);
  }
}

/** The time of a call is over. */
export class OverdueError extends Error {
  /** @param deadline in milliseconds */
  constructor(deadline: number) {
    super(`it has not ended within ${deadline / 1000} s`);
  }
}
