export interface CoalescerOptions<Item> {
  /**
   * Resolves when what waits by then is to be begun; in the next turn of the event loop unless it is given.
   * @param count how many wait
   */
  readonly gather?: (count: () => number) => Promise<unknown>;
  /** Takes out of what waits what goes together, or nothing as long as all of it has to wait; all of it unless it is given. */
  readonly take?: (waiting: Item[]) => Item[];
  /** How many batches are under way at once; one unless it is given. */
  readonly atOnce?: number;
}

/** Does together what is asked for at about the same time: what comes while a batch is under way makes the next one. */
export class Coalescer<Item> {
  private readonly waiting: Item[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private isGathering = false;

  /** @param run does a batch, and tells those who wait for it what became of it; it must not reject */
  constructor(
    private readonly run: (batch: readonly Item[]) => Promise<void>,
    private readonly options: CoalescerOptions<Item> = {},
  ) {}

  get waitingCount(): number {
    return this.waiting.length;
  }

  get isBusy(): boolean {
    return this.waiting.length > 0 || this.underWay.size > 0;
  }

  /** In the order in which they came. */
  get items(): readonly Item[] {
    return this.waiting;
  }

  add(item: Item): void {
    this.waiting.push(item);
    void this.gather();
  }

  /** Hands all that waits to the caller. */
  takeAll(): Item[] {
    return this.waiting.splice(0);
  }

  /** Resolves when nothing waits, and nothing is under way. */
  async drained(): Promise<void> {
    while (this.isBusy) {
      await Promise.all(this.underWay);
      await nextTurnOfAll();
    }
  }

  private async gather(): Promise<void> {
    const { atOnce = 1, gather = nextTurnOfAll } = this.options;
    if (this.isGathering || this.waiting.length === 0 || this.underWay.size >= atOnce) return;
    this.isGathering = true;
    await gather(() => this.waiting.length);
    this.isGathering = false;
    this.begin();
  }

  private begin(): void {
    const batch = this.options.take?.(this.waiting) ?? this.takeAll();
    if (batch.length === 0) return;
    const done = this.run(batch).finally(() => {
      this.underWay.delete(done);
      void this.gather();
    });
    this.underWay.add(done);
    void this.gather();
  }
}

/** Not one of `EventLoopTurns`: whoever asks is not to wait behind long work. */
function nextTurnOfAll(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
