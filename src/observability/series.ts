/** The series of one metric, one for each combination of label values that has occurred. */
export class SeriesByLabels<Series> {
  private readonly found = new Map<string, { readonly labels: Readonly<Record<string, string>>; series: Series }>();

  constructor(
    private readonly names: readonly string[],
    private readonly make: () => Series,
  ) {}

  /** @param values of the labels, in their order */
  of(values: readonly string[]): Series {
    const key = values.join('\n');
    const known = this.found.get(key);
    if (known !== undefined) return known.series;
    const labels = Object.fromEntries(this.names.map((name, at) => [name, values[at] ?? '']));
    const series = this.make();
    this.found.set(key, { labels, series });
    return series;
  }

  all(): Iterable<{ readonly labels: Readonly<Record<string, string>>; readonly series: Series }> {
    return this.found.values();
  }
}
