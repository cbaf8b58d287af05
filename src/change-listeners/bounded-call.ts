/** One call of something that may hang. */
export class BoundedCall {
  private readonly aborter = new AbortController();
  private giveUp: (reason: Error) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly work: (signal: AbortSignal) => Promise<void>) {}

  /**
   * @param deadline in milliseconds
   * @throws what the work throws; Error when it has not ended in time, whatever becomes of it then
   */
  async run(deadline: number): Promise<void> {
    const ended = new Promise<never>((_, reject) => (this.giveUp = reject));
    // An error is dear to make, and most calls end in time.
    this.timer = setTimeout(() => this.end(new Error(`it has not ended within ${deadline / 1000} s`), 0), deadline);
    try {
      await Promise.race([this.begin(), ended]);
    } finally {
      clearTimeout(this.timer);
    }
  }

  /** Tells the work to end, and waits so many milliseconds for that. */
  end(reason: Error, patience: number): void {
    clearTimeout(this.timer);
    this.aborter.abort(reason);
    this.timer = setTimeout(() => this.giveUp(reason), patience);
  }

  /** What it throws at once is a rejection, too. */
  private async begin(): Promise<void> {
    await this.work(this.aborter.signal);
  }
}
