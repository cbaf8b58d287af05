/** What an import has found and done. */
export class ImportReport {
  readonly counts = { imported: 0, already: 0, refused: 0, rrsets: 0 };
  private readonly differences = new Map<string, { count: number; readonly examples: string[] }>();
  private readonly refusals: string[] = [];

  /**
   * @param kind a sentence for all of its kind
   * @param amount how many are counted
   */
  differs(kind: string, zone: string, amount = 1): void {
    const found = this.differences.get(kind) ?? { count: 0, examples: [] };
    found.count += amount;
    if (found.examples.length < EXAMPLES) found.examples.push(zone);
    this.differences.set(kind, found);
  }

  refuses(zone: string, why: string): void {
    this.counts.refused += 1;
    this.refusals.push(`${zone} ${why}`);
  }

  /** In the order in which they are to be read: what needs somebody's hand comes last. */
  lines(): string[] {
    const differing = [...this.differences].map(
      ([kind, { count, examples }]) =>
        `differs: ${kind}: ${count} (${examples.join(', ')}${count > EXAMPLES ? ', …' : ''})`,
    );
    return [...differing, ...this.refusals.map((refusal) => `refused: ${refusal}`)];
  }
}

const EXAMPLES = 3;
