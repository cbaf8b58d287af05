import type { Response } from 'express';
import type { ApiRequest } from '../request.js';
import type { V2Links } from './collection.js';
import { type Resource, toResourceDto, type V2ResourceDto } from './resource.dto.js';

/** A page of them as it was read. */
interface ResourcePage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
}

/** Answers about objects of one kind that are made, changed and removed one at a time. */
export class ResourceAnswers<Row extends Resource, Fields extends object> {
  /**
   * @param name what stands behind `/v2/` in their paths, and names their list
   * @param fieldsOf the fields that such objects have beside those of all
   */
  constructor(
    private readonly links: V2Links,
    private readonly name: string,
    private readonly fieldsOf: (row: Row) => Fields,
  ) {}

  one(row: Row, request: ApiRequest): Fields & V2ResourceDto {
    const links = this.links.self(request, `/v2/${this.name}/${row.id}`);
    return { ...this.fieldsOf(row), ...toResourceDto(row, links) };
  }

  /** One that has been made: the answer says where it is. */
  made(row: Row, request: ApiRequest, response: Response): Fields & V2ResourceDto {
    const made = this.one(row, request);
    response.setHeader('Location', made.links.self);
    return made;
  }

  list({ rows, hasNext }: ResourcePage<Row>, request: ApiRequest): Record<string, unknown> {
    const next = hasNext ? (rows.at(-1)?.id ?? null) : null;
    const entries = rows.map((row) => this.one(row, request));
    return this.links.collectionOf(this.name, { entries, next, total: null }, request);
  }
}
