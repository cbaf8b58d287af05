/** Aborts after a time, or with another signal. Node may collect the signal of `AbortSignal.any` despite listeners. */
export class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly stop = (): void => this.controller.abort();

  /** @param milliseconds until the end */
  constructor(
    milliseconds: number,
    private readonly outer: AbortSignal,
  ) {
    this.timer = setTimeout(this.stop, milliseconds);
    outer.addEventListener('abort', this.stop);
    if (outer.aborted) this.stop();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.stop);
  }
}
