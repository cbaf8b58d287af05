/** What is remembered for a while, and no more of it than a number of entries: what was remembered first goes first. */
export class Verdicts<Verdict> {
  private readonly kept = new Map<string, { readonly verdict: Verdict; readonly until: number }>();

  constructor(private readonly most: number) {}

  /** @param now in milliseconds, as everywhere here */
  at(key: string, now: number): Verdict | undefined {
    const entry = this.kept.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > now) return entry.verdict;
    this.kept.delete(key);
    return undefined;
  }

  keep(key: string, verdict: Verdict, until: number): void {
    this.kept.delete(key);
    this.kept.set(key, { verdict, until });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
  }
}
