/** Median and spread: of few rounds on a machine that others may use, the mean says little. */
export function summarize(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return { median: medianOf(sorted), min: sorted[0], max: sorted.at(-1) };
}

export function round(value, decimals = 2) {
  return Number(value.toFixed(decimals));
}

function medianOf(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Of times in milliseconds; `null`: no times. */
export function quantiles(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share) => (sorted.length === 0 ? null : round(sorted[Math.ceil(sorted.length * share) - 1]));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
