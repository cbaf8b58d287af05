import { Histogram, type HistogramValues } from '../../observability/histogram.js';
import { type Count, Counter } from '../../observability/counter.js';
import type { DoneRequest } from './watched-requests.js';

const REQUESTS = new Counter({
  name: 'zonewright_http_requests_total',
  help: 'Requests by method, route and status; status "aborted" where the client left before the answer.',
  labels: ['method', 'route', 'status'],
});
const DURATIONS = new Histogram({
  name: 'zonewright_http_request_duration_seconds',
  help: 'From the head of a request to the end of its answer, waiting for its turn included.',
  labels: ['method', 'route'],
});

/** Others may be named by clients as they like. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface Series {
  readonly count: Count;
  readonly durations: HistogramValues;
}

/** What has occurred, by the three labels in one text: one look-up for each request. */
const known = new Map<string, Series>();

/** Counts a request and notes how long it took. */
export function measureRequest({ method, route, status, milliseconds }: DoneRequest): void {
  const key = `${method} ${route} ${status}`;
  let series = known.get(key);
  if (series === undefined) {
    series = seriesOf(METHODS.has(method) ? method : 'other', route, status);
    // By any other method nothing is added: clients could name a million.
    if (METHODS.has(method)) known.set(key, series);
  }
  series.count.add();
  series.durations.observe(milliseconds / 1000);
}

function seriesOf(method: string, route: string, status: string): Series {
  return { count: REQUESTS.of(method, route, status), durations: DURATIONS.of(method, route) };
}
