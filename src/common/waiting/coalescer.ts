export interface CoalescerOptions<Item> {
  /** Resolves when the waiting items form a batch. Default: in the next turn of the event loop. */
  readonly gather?: (count: () => number) => Promise<unknown>;
  /** Removes the items of the next batch. Default: all. Returns none if all must wait. */
  readonly take?: (waiting: Item[]) => Item[];
  /** Concurrent batches. Default: 1. */
  readonly atOnce?: number;
}

/** Batches concurrent requests: items that arrive during a batch form the next one. */
export class Coalescer<Item> {
  private readonly waiting: Item[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private isGathering = false;

  /** @param run processes a batch and settles its items; it must not reject */
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

  get items(): readonly Item[] {
    return this.waiting;
  }

  add(item: Item): void {
    this.waiting.push(item);
    void this.gather();
  }

  takeAll(): Item[] {
    return this.waiting.splice(0);
  }

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

/** Unlike `EventLoopTurns`, does not queue behind long work. */
function nextTurnOfAll(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
