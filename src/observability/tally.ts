import { type Figure, type Measured, show } from './figure.js';
import { SeriesByLabels } from './series.js';

/** A number that only grows. */
export class Count {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

/** Counts what happens in this process, for each combination of labels. */
export class Tally {
  private readonly series: SeriesByLabels<Count>;

  constructor(private readonly measured: Measured) {
    this.series = new SeriesByLabels(measured.labels ?? [], () => new Count());
    show(() => this.figure());
  }

  /** @param values of the labels, in their order */
  of(...values: string[]): Count {
    return this.series.of(values);
  }

  private figure(): Figure {
    const { name, help } = this.measured;
    const values = [...this.series.all()].map(({ labels, series: { value } }) => ({ labels, value }));
    return { name, help, type: 'counter', aggregator: 'sum', values };
  }
}
