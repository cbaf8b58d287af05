import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** How many entries are read and written at a time; a list is never held whole. */
const PAGE_SIZE = 250;

/** Entries in the order of their ids, read by key: a page begins after `marker`, `''` being before all. */
export interface ListSource<Entity extends { readonly id: string }> {
  page(marker: string, limit: number): Promise<Entity[]>;
  toDto(entity: Entity): object;
}

/** A list's answer: an object for one page, a stream for what is longer. */
export type JsonList = Record<string, unknown> | StreamableFile;

/** The complete list from after `marker` on as `{"<field>": [...]}`; its first page is read before any answer. */
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
    // Reading is synchronous on SQLite: other requests get their turn between two pages.
    await new Promise(setImmediate);
    page = await source.page(last.id, PAGE_SIZE);
  }
  yield ']}';
}
