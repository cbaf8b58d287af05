/** One metric of Prometheus with its values, as prom-client hands it from process to process. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one. */
  readonly aggregator: 'sum' | 'max' | 'min';
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
  /** Of a histogram, whose name has an ending. */
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** What is measured, and for what its values stand. */
export interface Measured {
  /** As Prometheus writes names: the unit last, `_total` behind what is counted. */
  readonly name: string;
  readonly help: string;
  /** Each with few values, which the service itself chooses: nothing that a client has sent, and no tenant. */
  readonly labels?: readonly string[];
}

const sources = new Set<() => Metric>();

/**
 * Has a figure shown as long as it is not withdrawn: it is read when somebody asks for it.
 * @returns what withdraws it
 */
export function exposeMetric(source: () => Metric): () => void {
  sources.add(source);
  return () => void sources.delete(source);
}

/** All figures of this process as they are now. Several sources may give values of one. */
export function currentMetrics(): Metric[] {
  return [...sources].map((source) => source());
}
