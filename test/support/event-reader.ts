import { EventSource } from 'eventsource';
import type { EventBody } from './event-body.js';
import { until } from './until.js';

/** A stream event, as the client passes it on. */
export interface ReadEvent {
  readonly id: string;
  readonly type: string;
  readonly event: EventBody;
}

const TYPES = [
  ...['created', 'updated', 'deleted', 'serial_raised', 'transferred', 'regenerated'].map((what) => `domain.${what}`),
  ...['published', 'lagging', 'alias_failing', 'alias_recovered'].map((what) => `domain.${what}`),
  ...['live_check_failing', 'live_check_recovered'].map((what) => `domain.${what}`),
  ...['created', 'updated', 'deleted'].map((what) => `record.${what}`),
].map((type) => `zonewright.${type}`);

/** A reader of `GET /v1/events` by a client of others, which connects again by itself. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  /** How often it was connected. */
  starts = 0;
  /** The status that has ended it for good. */
  refused: number | null = null;
  private readonly source: EventSource;

  /** @param query as in a URL, without its question mark */
  constructor(url: string, { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string } = {}) {
    this.source = new EventSource(`${url}/v1/events?${query}`, {
      // The headers of the client library win: they contain the resume position.
      fetch: (input, init) => fetch(input, { ...init, headers: { ...headers, ...init.headers } }),
    });
    this.source.addEventListener('zonewright.stream', () => (this.starts += 1));
    for (const type of TYPES)
      this.source.addEventListener(type, ({ data, lastEventId }) =>
        this.events.push({ id: lastEventId, type, event: JSON.parse(data as string) as EventBody }),
      );
    this.source.addEventListener('error', ({ code }) => {
      if (this.source.readyState === EventSource.CLOSED) this.refused = code ?? 0;
    });
  }

  /** As a caller that noauth believes. */
  static as(tenant: string, url: string, more: { headers?: Record<string, string>; query?: string } = {}): EventReader {
    const headers = { 'X-Auth-Project-ID': tenant, 'X-Roles': 'member', ...more.headers };
    return new EventReader(url, { ...more, headers });
  }

  async started(times = 1): Promise<this> {
    await until(() => this.starts >= times || this.refused !== null, 10_000);
    if (this.refused !== null) throw new Error(`the stream was refused: ${this.refused}`);
    return this;
  }

  /** Resolves with the first `count` events. */
  async first(count: number, patience = 10_000): Promise<readonly ReadEvent[]> {
    await until(() => this.events.length >= count, patience);
    return this.events.slice(0, count);
  }

  /** `<type> <label>` of each: of a record the first label of its name. */
  get told(): string[] {
    return this.events.map(({ event: { type, data } }) => {
      const { name } = (data.after ?? data.before) as { name: string };
      return `${type.replace('zonewright.', '')} ${name.split('.')[0]!}`;
    });
  }

  close(): void {
    this.source.close();
  }
}
