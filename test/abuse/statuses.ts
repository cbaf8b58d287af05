import type { Target } from './attack.js';

/** Statuses, and how often each came. */
export class Statuses {
  private readonly seen: Record<string, number> = {};

  count(status: number): void {
    this.seen[status] = (this.seen[status] ?? 0) + 1;
  }

  /** Has them said under this name, and the test fail for any but these. */
  expect(target: Target, name: string, expected: readonly number[]): void {
    target.note({ [name]: this.seen });
    const others = Object.keys(this.seen).filter((status) => !expected.includes(Number(status)));
    target.must(others.length === 0, `${name} got ${JSON.stringify(this.seen)}`);
  }
}
