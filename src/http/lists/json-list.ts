import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** How many entries are read and written at a time. */
const PAGE_SIZE = 250;

/** Reads entries in the order of their ids. A page begins after the id `marker`; `''` is before every id. */
export interface ListSource<Entity extends { readonly id: string }> {
  page(marker: string, limit: number): Promise<Entity[]>;
  /** Whether there is an entry of that id, or was one before it was deleted. */
  knows(id: string): Promise<boolean>;
  toDto(entity: Entity): object;
}

/** The answer to a list request: an object for one page, a stream for more. */
export type JsonList = Record<string, unknown> | StreamableFile;

/**
 * The complete list after `marker`, as `{"<field>": [...]}`. The first page is read before the answer begins, so that
 * an error still has its status; the rest is read while it is sent.
 */
export async function completeList<Entity extends { readonly id: string }>(
  field: string,
  source: ListSource<Entity>,
  marker: string,
): Promise<JsonList> {
  const first = await source.page(marker, PAGE_SIZE);
  if (first.length < PAGE_SIZE) return { [field]: first.map((entity) => source.toDto(entity)) };
  return new StreamableFile(Readable.from(chunksOf(field, first, source)), { type: 'application/json; charset=utf-8' });
}

async function* chunksOf<Entity extends { readonly id: string }>(
  field: string,
  first: Entity[],
  source: ListSource<Entity>,
): AsyncGenerator<string> {
  yield `{${JSON.stringify(field)}:[`;
  let page = first;
  for (let separator = ''; page.length > 0; separator = ',') {
    yield separator + page.map((entity) => JSON.stringify(source.toDto(entity))).join(',');
    const last = page[page.length - 1];
    if (last === undefined || page.length < PAGE_SIZE) break;
    // Reading is synchronous on SQLite: this lets other requests run between two pages.
    await new Promise(setImmediate);
    page = await source.page(last.id, PAGE_SIZE);
  }
  yield ']}';
}
