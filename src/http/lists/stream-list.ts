import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import type { Page } from '../../common/page.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { inPieces, PIECE } from '../server/pieces.js';

/** How many entries of a complete list are read and written at a time, so that others get their turn in between. */
const PAGE_SIZE = 250;

/** Reads entries in the order of their ids. A page begins after the id `marker`; `''` is before every id. */
export interface ListSource<Entity extends { readonly id: string }> {
  page(marker: string, limit: number, searchClient: SearchClient): Promise<Page<Entity>>;
  /** Whether there is an entry of that id, or was one before it was deleted. */
  knows(id: string): Promise<boolean>;
  toDto(entity: Entity): object;
}

/** The answer to a list request: an object for one page, a stream for more. */
export type StreamList = Record<string, unknown> | StreamableFile;

/** A list as it is to be written. */
export interface ListRequest<Entity extends { readonly id: string }> {
  /** The field of the answer that has the entries. */
  readonly field: string;
  readonly source: ListSource<Entity>;
  /** Where it begins. */
  readonly marker: string;
  readonly searchClient: SearchClient;
  /** The highest number of entries; `null` for all. */
  readonly limit: number | null;
  /** The fields behind the entries, given the id after which the list goes on, or `null` at its end. */
  readonly fieldsBehind: (next: string | null) => object;
}

/** Entries, and at the end of the answer what comes behind them. */
interface Part<Entity> {
  readonly entries: readonly Entity[];
  readonly behind: object | null;
}

/**
 * A list as `{"<field>": [...]}` with the fields behind. The first page is read before the answer begins, so that an error
 * still has its status; the rest is read while the client takes it.
 * @param begin is called where it is a stream, and returns what is called when that has ended
 * @throws whatever `begin` throws
 */
export async function streamList<Entity extends { readonly id: string }>(
  request: ListRequest<Entity>,
  begin: () => () => void,
): Promise<StreamList> {
  const { field, source } = request;
  const parts = partsOf(request);
  const first = await parts.next();
  // There is at least one part.
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
    // One more than is shown tells whether there is more.
    const page = await source.page(after, limit === null ? PAGE_SIZE : left + 1, searchClient);
    const entries = page.entries.slice(0, left);
    const hasMore = page.entries.length > left;
    after = entries[entries.length - 1]?.id ?? after;
    left -= entries.length;
    const isLast = hasMore || page.isLast;
    yield { entries, behind: isLast ? fieldsBehind(hasMore ? after : null) : null };
    if (isLast) return;
    // Reading is synchronous on SQLite: this lets other requests run between two pages.
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

/** `,"a":1`, or nothing. */
function membersOf(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('');
}
