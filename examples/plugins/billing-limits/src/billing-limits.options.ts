import { readers } from 'zonewright';

const httpUrl = readers.reader('URL that begins with http:// or https://', (text) => {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text.endsWith('/') ? text : `${text}/`);
});

export const OPTIONS = {
  url: {
    name: 'url',
    default: 'http://127.0.0.1:8080/',
    reader: httpUrl,
    meaning: 'what is asked for `tenants/<id>/limits`',
  },
  timeLimit: {
    name: 'time_limit_ms',
    default: '500',
    reader: readers.integer(10, 10_000),
    meaning: 'how long a request waits for an answer, in milliseconds',
  },
  cacheTime: {
    name: 'cache_seconds',
    default: '60',
    reader: readers.integer(1, 86_400),
    meaning: 'for how long an answer is not asked for again',
  },
  retryTime: {
    name: 'retry_seconds',
    default: '5',
    reader: readers.integer(0, 3600),
    meaning: 'for how long nobody is asked after a request that failed',
  },
  fallback: {
    name: 'fallback_records',
    default: '1000',
    reader: readers.integer(0, 10_000_000),
    meaning: 'how many records a zone may hold whose tenant has no known limit',
  },
};

/** Their values, for the classes of the plugin. */
export abstract class BillingLimitsOptions {
  abstract readonly url: URL;
  abstract readonly timeLimit: number;
  abstract readonly cacheTime: number;
  abstract readonly retryTime: number;
  abstract readonly fallback: number;
}
