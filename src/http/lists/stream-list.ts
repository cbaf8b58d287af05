import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { Page } from '../../common/collection-query.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { inPieces, PIECE } from '../server/response-pieces.js';

/** Entries read and written at a time. Other requests run in between. */
const PAGE_SIZE = 250;

/** Reads entries in id order, after the id `marker`. `''` is before every id. */
export interface ListSource<Entity extends { readonly id: string }> {
  page(marker: string, limit: number, searchClient: SearchClient): Promise<Page<Entity>>;
  /** Whether the id exists or existed. */
  knows(id: string): Promise<boolean>;
  toDto(entity: Entity): object;
}

/** An object for one page, a stream for more. */
export type StreamList = Record<string, unknown> | StreamableFile;

export interface ListRequest<Entity extends { readonly id: string }> {
  readonly field: string;
  readonly source: ListSource<Entity>;
  readonly marker: string;
  readonly searchClient: SearchClient;
  readonly limit: number | null;
  /** Returns the fields after the entries, given the last id, or `null` at the end of the list. */
  readonly fieldsBehind: (next: string | null) => object;
}

/** Entries, and in the last part the fields after them. */
interface Part<Entity> {
  readonly entries: readonly Entity[];
  readonly behind: object | null;
}

/**
 * Reads the first page before the answer begins, so that an error still has its status. Reads the rest as fast as the
 * client.
 * @param begin runs before a stream and returns a callback for its end
 */
export async function streamList<Entity extends { readonly id: string }>(
  request: ListRequest<Entity>,
  begin: () => () => void,
): Promise<StreamList> {
  const { field, source } = request;
  const parts = partsOf(request);
  const first = await parts.next();
  // A list has at least one part.
  const { entries, behind } = first.value as Part<Entity>;
  if (behind !== null) return { [field]: entries.map((entity) => source.toDto(entity)), ...behind };
  const end = begin();
  const octets = Readable.from(octetsOf(request, entries, parts), { objectMode: false, highWaterMark: PIECE });
  return new StreamableFile(octets.once('close', end), { type: 'application/json; charset=utf-8' });
}

async function* partsOf<Entity extends { readonly id: string }>({
  source,
  marker,
  searchClient,
  limit,
  fieldsBehind,
}: ListRequest<Entity>): AsyncGenerator<Part<Entity>, undefined> {
  let after = marker;
  for (let left = limit ?? Infinity; ;) {
    // One extra entry tells whether more exist.
    const page = await source.page(after, limit === null ? PAGE_SIZE : left + 1, searchClient);
    const entries = page.entries.slice(0, left);
    const hasMore = page.entries.length > left;
    after = entries[entries.length - 1]?.id ?? after;
    left -= entries.length;
    const isLast = hasMore || page.isLast;
    yield { entries, behind: isLast ? fieldsBehind(hasMore ? after : null) : null };
    if (isLast) return;
    // SQLite reads synchronously, so let other requests run between two pages.
    await nextTurn();
  }
}

async function* octetsOf<Entity extends { readonly id: string }>(
  { field, source }: ListRequest<Entity>,
  first: readonly Entity[],
  rest: AsyncIterable<Part<Entity>>,
): AsyncGenerator<Buffer> {
  const textOf = (entries: readonly Entity[]): string =>
    entries.map((entity) => JSON.stringify(source.toDto(entity))).join(',');
  yield* inPieces(Buffer.from(`{${JSON.stringify(field)}:[${textOf(first)}`));
  for await (const { entries, behind } of rest) {
    const text = entries.length === 0 ? '' : `,${textOf(entries)}`;
    yield* inPieces(Buffer.from(behind === null ? text : `${text}]${membersOf(behind)}}`));
  }
}

function membersOf(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('');
}
