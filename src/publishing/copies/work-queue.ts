/** Bounds how much work is under way; the rest waits in the order in which it came. */
export class WorkQueue {
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  constructor(private readonly atATime: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= this.atATime) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.underWay += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // Who waited takes the place over.
      if (next !== undefined) next();
      else this.underWay -= 1;
    }
  }
}
