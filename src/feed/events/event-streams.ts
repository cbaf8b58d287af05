import { Readable } from 'node:stream';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Limiter } from '../../common/waiting/limiter.js';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { showGauge, Counter } from '../../observability/metrics.js';
import { EventBlockReader } from './event-block-reader.js';
import { writeEventId, type EventCursor, EventPages, type EventView } from './event-pages.js';
import { EventNotifier } from './event-notifier.js';
import { EventsOptions } from './events.options.js';

/** Reconnect delay of clients, in milliseconds. */
const RETRY = 2000;
/** Octets that a stream reads ahead: one block. */
const READ_AHEAD = 65_536;

const SENT = new Counter({
  name: 'zonewright_events_sent_total',
  help: 'Events that were sent to readers of streams.',
});

export interface StreamRequest {
  readonly view: EventView;
  /** `null`: now. */
  readonly from: EventCursor | null;
  /** Whether the caller may still read. */
  readonly isPermitted: () => Promise<boolean>;
  readonly gone: AbortSignal;
}

/** Streams server-sent events (HTML Standard §9.2) until the client, its credential or the service ends. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly logger = new Logger('Zonewright');
  private readonly slots: Limiter;
  private readonly open = new Set<AbortController>();
  private isStopped = false;
  private readonly hide: () => void;

  constructor(
    private readonly pages: EventPages,
    private readonly reader: EventBlockReader,
    private readonly news: EventNotifier,
    private readonly options: EventsOptions,
  ) {
    this.slots = Limiter.ofTenants('streams of events', options.streams);
    const measured = { name: 'zonewright_event_streams', help: 'Streams of events that are open.' };
    this.hide = showGauge(measured, () => [{ labels: {}, value: this.open.size }]);
    // Shows the metric as 0 before the first event.
    SENT.of();
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    for (const ending of this.open) ending.abort();
    this.hide();
  }

  /** @throws ServiceError `invalid_object` or `events_gone` for its start, `unavailable` */
  async begin(request: StreamRequest): Promise<Readable> {
    const { tenantId } = request.view;
    const end = this.slots.take(tenantId);
    try {
      const from =
        request.from === null ? await this.pages.now(tenantId) : await this.pages.goOn(tenantId, request.from);
      // Clients reconnect immediately after the end of a stream.
      if (this.isStopped) throw new ServiceError('unavailable', 'The service is stopping; connect again later.');
      // Not `AbortSignal.any`: Node may collect its signal despite listeners.
      const ending = new AbortController();
      request.gone.addEventListener('abort', () => ending.abort());
      const blocks = this.blocks(request, from, ending.signal);
      const stream = Readable.from(blocks, { objectMode: false, highWaterMark: READ_AHEAD });
      this.open.add(ending);
      return stream.once('close', () => {
        this.open.delete(ending);
        end();
      });
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Yields the next block when the previous one has been read. */
  private async *blocks(request: StreamRequest, from: EventCursor, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { view, isPermitted } = request;
    const follower = this.news.follow(view.tenantId);
    let [cursor, checkedAt, told] = [from, performance.now(), from];
    try {
      yield Buffer.from(`retry: ${RETRY}\nid: ${writeEventId(from)}\nevent: zonewright.stream\ndata: {}\n\n`);
      while (!signal.aborted) {
        const now = performance.now();
        if (now - checkedAt >= this.options.heartbeat) {
          if (!(await isPermitted())) return;
          checkedAt = now;
        }
        const { octets, events, lastEvent, behind, mayGoOn } = await this.reader.blockBehind(view, cursor);
        cursor = behind;
        follower.position = cursor.position;
        if (octets.length > 0) yield octets;
        SENT.of().add(events);
        told = lastEvent ?? told;
        if (mayGoOn) {
          // SQLite reads block the event loop, and a page may have no event to wait for.
          await nextTurn();
          continue;
        }
        if (await follower.wait(this.options.heartbeat, signal)) continue;
        // Sends a cursor after skipped events, so that they are not scanned again.
        const id = told.position === cursor.position ? '' : `id: ${writeEventId(cursor)}\n`;
        told = cursor;
        yield Buffer.from(`: still here\n${id}\n`);
      }
    } catch (error) {
      // The client reconnects with its last event and then gets the error.
      if (!(error instanceof ServiceError)) this.logger.error(error);
    } finally {
      this.news.leave(follower);
    }
  }
}
