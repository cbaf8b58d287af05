import { type Metric, type Measured, exposeMetric } from './metric.js';
import { SeriesByLabels } from './series.js';

/** A number that only grows. */
export class Count {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

/** Counts what happens in this process, for each combination of labels. */
export class Counter {
  private readonly series: SeriesByLabels<Count>;

  constructor(private readonly measured: Measured) {
    this.series = new SeriesByLabels(measured.labels ?? [], () => new Count());
    exposeMetric(() => this.metric());
  }

  /** @param values of the labels, in their order */
  of(...values: string[]): Count {
    return this.series.of(values);
  }

  private metric(): Metric {
    const { name, help } = this.measured;
    const values = [...this.series.all()].map(({ labels, series: { value } }) => ({ labels, value }));
    return { name, help, type: 'counter', aggregator: 'sum', values };
  }
}
