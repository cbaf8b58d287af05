/** A Prometheus metric with its values, in the format that prom-client sends between processes. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Merges the values of several processes. */
  readonly aggregator: 'sum' | 'max' | 'min';
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
  /** Only for a histogram: the name with its suffix. */
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Name, help and labels of a metric. */
export interface Measured {
  /** Prometheus style: unit last, counters end in `_total`. */
  readonly name: string;
  readonly help: string;
  /** Label names. Values must be few and chosen by the service: no client input, no tenant. */
  readonly labels?: readonly string[];
}

const sources = new Set<() => Metric>();

/** Registers a metric that is read at each scrape. Returns a function that removes it. */
function exposeMetric(source: () => Metric): () => void {
  sources.add(source);
  return () => void sources.delete(source);
}

/** Several sources may contribute to one metric. */
export function currentMetrics(): Metric[] {
  return [...sources].map((source) => source());
}

/** A number that only grows. */
export class Count {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

/** Counts events in this process, for each combination of labels. */
export class Counter {
  private readonly series: SeriesByLabels<Count>;

  constructor(private readonly measured: Measured) {
    this.series = new SeriesByLabels(measured.labels ?? [], () => new Count());
    exposeMetric(() => this.metric());
  }

  /** @param values label values, in the order of the labels */
  of(...values: string[]): Count {
    return this.series.of(values);
  }

  private metric(): Metric {
    const { name, help } = this.measured;
    const values = [...this.series.all()].map(({ labels, series: { value } }) => ({ labels, value }));
    return { name, help, type: 'counter', aggregator: 'sum', values };
  }
}

/** Aggregation over processes. */
export type Sharing = 'sum' | 'max';

/** Exposes a gauge that is read at each scrape. Returns a function that removes it. */
export function showGauge(
  { name, help }: Measured,
  read: () => readonly Omit<MetricValue, 'metricName'>[],
  aggregator: Sharing = 'sum',
): () => void {
  return exposeMetric(() => ({ name, help, type: 'gauge', aggregator, values: read() }));
}

/** Seconds: for durations from less than a millisecond to some seconds. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts values by bucket. */
export class HistogramValues {
  /** Not cumulative; the last count is for values above all bounds. */
  readonly counts: number[];
  sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? Infinity)) at += 1;
    counts[at] = (counts[at] ?? 0) + 1;
    this.sum += value;
  }
}

/** Histogram of sizes, or of durations in seconds, for each combination of labels. */
export class Histogram {
  private readonly series: SeriesByLabels<HistogramValues>;

  /** @param bounds upper bounds, in ascending order */
  constructor(
    private readonly measured: Measured,
    private readonly bounds: readonly number[] = SECONDS,
  ) {
    this.series = new SeriesByLabels(measured.labels ?? [], () => new HistogramValues(bounds));
    exposeMetric(() => this.metric());
  }

  /** @param values label values, in the order of the labels */
  of(...values: string[]): HistogramValues {
    return this.series.of(values);
  }

  private metric(): Metric {
    const { name, help } = this.measured;
    const values = [...this.series.all()].flatMap(({ labels, series }) => this.valuesOf(labels, series));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  private valuesOf(labels: Readonly<Record<string, string>>, { counts, sum }: HistogramValues): MetricValue[] {
    const { name } = this.measured;
    let count = 0;
    const buckets = counts.map((ofBucket, at) => {
      count += ofBucket;
      return { metricName: `${name}_bucket`, labels: { ...labels, le: this.bounds[at] ?? '+Inf' }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

/** Seconds since a result of `performance.now()`. */
export function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000;
}

class SeriesByLabels<Series> {
  private readonly found = new Map<string, { readonly labels: Readonly<Record<string, string>>; series: Series }>();

  constructor(
    private readonly names: readonly string[],
    private readonly make: () => Series,
  ) {}

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

/** HTTP and quotas share this counter. */
export const RATE_LIMIT_REFUSALS = new Counter({
  name: 'zonewright_rate_limited_total',
  help: 'Requests that were answered 429, by the limit: address, token, credentials or changes.',
  labels: ['limit'],
});
