import { type Metric, type MetricValue, type Measured, exposeMetric } from './metric.js';
import { SeriesByLabels } from './series.js';

/** In seconds: of what takes from a fraction of a millisecond to some seconds. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** How many values lie between which bounds. */
export class HistogramValues {
  /** For each bound how many values lie up to it and above the one before; then those above all. */
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

/** How large something is, or how long it takes in seconds, for each combination of labels: a histogram of Prometheus. */
export class Histogram {
  private readonly series: SeriesByLabels<HistogramValues>;

  /** @param bounds upper ones, in ascending order */
  constructor(
    private readonly measured: Measured,
    private readonly bounds: readonly number[] = SECONDS,
  ) {
    this.series = new SeriesByLabels(measured.labels ?? [], () => new HistogramValues(bounds));
    exposeMetric(() => this.metric());
  }

  /** @param values of the labels, in their order */
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

/** The seconds since a moment of `performance.now()`. */
export function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000;
}
