import { Injectable } from '@nestjs/common';
import { EventNotifier } from './event-notifier.js';
import { type EventCursor, type EventPage, EventPages, type EventView, writeEventId } from './event-pages.js';

/** Octets after which a block ends. A single event may be longer. */
const BLOCK = 65_536;
/** Octets of cached blocks. */
const CACHED = 8 * 2 ** 20;
/** A small block may keep a whole slab of the buffer pool of Node.js. */
const LEAST_WEIGHT = 8192;

/** Serialized events between two cursors. */
interface EventBlock extends Omit<EventPage, 'events'> {
  readonly octets: Buffer;
  readonly events: number;
  readonly lastEvent: EventCursor | null;
  /** News of the tenant before the read. Later news may have added events after the block. */
  readonly newsVersion: number;
}

/** Reads and serializes events once for all streams with the same view (behaviour 19.16). */
@Injectable()
export class EventBlockReader {
  /** By view and position, the most recently used last. */
  private readonly blocks = new Map<string, EventBlock>();
  private readonly reads = new Map<string, Promise<EventBlock>>();
  private weight = 0;

  constructor(
    private readonly pages: EventPages,
    private readonly news: EventNotifier,
  ) {}

  /** @throws ServiceError `events_gone` if the next events have been removed */
  async blockBehind(view: EventView, cursor: EventCursor): Promise<EventBlock> {
    const block = this.cached(view, cursor) ?? (await this.read(view, cursor));
    // Without `mayGoOn`, the stream would wait for news that have come already.
    const mayGoOn = block.mayGoOn || block.newsVersion !== this.news.versionOf(view.tenantId);
    return { ...block, mayGoOn, behind: block.behind.position === cursor.position ? cursor : block.behind };
  }

  private cached({ key, tenantId }: EventView, { position }: EventCursor): EventBlock | undefined {
    const place = `${key}:${position}`;
    const block = this.blocks.get(place);
    if (block === undefined) return undefined;
    const isEmpty = block.behind.position === position;
    // Without progress, the stream must read again.
    if (isEmpty && (block.mayGoOn || block.newsVersion !== this.news.versionOf(tenantId))) return undefined;
    this.keep(place, block);
    return block;
  }

  /** Streams that arrive after further news do not share the read, which may not show them. */
  private read(view: EventView, cursor: EventCursor): Promise<EventBlock> {
    const newsVersion = this.news.versionOf(view.tenantId);
    const place = `${view.key}:${cursor.position}:${newsVersion}`;
    const shared = this.reads.get(place);
    if (shared !== undefined) return shared;
    const read = this.readPage(view, cursor, newsVersion).finally(() => this.reads.delete(place));
    this.reads.set(place, read);
    return read;
  }

  private async readPage(view: EventView, cursor: EventCursor, newsVersion: number): Promise<EventBlock> {
    const blocks = [...blocksOf(await this.pages.page(view, cursor), newsVersion)] as [EventBlock, ...EventBlock[]];
    let { position } = cursor;
    for (const block of blocks) {
      this.keep(`${view.key}:${position}`, block);
      ({ position } = block.behind);
    }
    return blocks[0];
  }

  private keep(place: string, block: EventBlock): void {
    this.forget(place);
    this.blocks.set(place, block);
    this.weight += weightOf(block);
    for (const oldest of this.blocks.keys()) {
      if (this.weight <= CACHED) return;
      this.forget(oldest);
    }
  }

  private forget(place: string): void {
    const block = this.blocks.get(place);
    if (this.blocks.delete(place) && block !== undefined) this.weight -= weightOf(block);
  }
}

function weightOf({ octets }: EventBlock): number {
  return Math.max(octets.length, LEAST_WEIGHT);
}

/** One block at least. */
function* blocksOf({ events, behind, mayGoOn }: EventPage, newsVersion: number): Generator<EventBlock> {
  let [text, first] = ['', 0];
  for (const [at, { cursor, type, text: data }] of events.entries()) {
    text += `id: ${writeEventId(cursor)}\nevent: ${type}\ndata: ${data}\n\n`;
    if (text.length < BLOCK || at === events.length - 1) continue;
    const octets = Buffer.from(text);
    yield { octets, events: at + 1 - first, lastEvent: cursor, behind: cursor, mayGoOn: true, newsVersion };
    [text, first] = ['', at + 1];
  }
  const lastEvent = events.at(-1)?.cursor ?? null;
  yield { octets: Buffer.from(text), events: events.length - first, lastEvent, behind, mayGoOn, newsVersion };
}
