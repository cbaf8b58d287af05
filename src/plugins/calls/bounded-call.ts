/** For code that may hang. */
export class BoundedCall<T = void> {
  private readonly aborter = new AbortController();
  private giveUp: (reason: Error) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly work: (signal: AbortSignal) => T | Promise<T>) {}

  /** `deadline` is in milliseconds. @throws OverdueError, whatever happens to the work later */
  async run(deadline: number): Promise<T> {
    const ended = new Promise<never>((_, reject) => (this.giveUp = reject));
    // Errors are expensive, and most calls end in time.
    this.timer = setTimeout(() => this.end(new OverdueError(deadline), 0), deadline);
    try {
      return await Promise.race([this.begin(), ended]);
    } finally {
      clearTimeout(this.timer);
    }
  }

  /** Aborts the work, and waits up to `timeLimit` milliseconds for its end. */
  end(reason: Error, timeLimit: number): void {
    clearTimeout(this.timer);
    this.aborter.abort(reason);
    this.timer = setTimeout(() => this.giveUp(reason), timeLimit);
  }

  /** Makes a synchronous exception a rejection. */
  private async begin(): Promise<T> {
    return this.work(this.aborter.signal);
  }
}

export class OverdueError extends Error {
  /** @param deadline in milliseconds */
  constructor(deadline: number) {
    super(`it has not ended within ${deadline / 1000} s`);
  }
}
