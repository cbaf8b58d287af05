import { applyDecorators } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { MayBeAbsent } from '../bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../openapi/decorators.js';
import { IntegerParameter } from './integer-parameter.decorator.js';

/** In characters: of what lists are searched for. */
export const LONGEST_SEARCHED = 255;
/** Entries before it are kept in memory where no index has their order. */
const MAX_OFFSET = 200_000;
/** Where a search says none. */
const LIMIT = 200;

/** What of a query asks for a search, whose pages have numbers instead of markers (behaviour 6.7). */
export interface PageListQuery<Sort extends string> {
  readonly sort: Sort;
  readonly isDescending: boolean;
  readonly offset: number;
  readonly limit: number;
  readonly counts: boolean;
}

interface AskedList {
  readonly q?: string;
  readonly sort?: string;
  readonly offset?: number;
  readonly count?: string;
  readonly limit?: number;
  readonly marker?: string;
}

/** Describes and checks how many entries are before a page. */
export function IsOffset(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 0,
      maximum: MAX_OFFSET,
      description: 'How many entries are before the page; in place of `marker`.',
    }),
    MayBeAbsent(),
    IntegerParameter(0, MAX_OFFSET),
  );
}

/** Each of the orders, and the other way round. */
export function sortsOf(sorts: readonly string[]): string[] {
  return sorts.flatMap((sort) => [sort, `-${sort}`]);
}

/** As the document does not show the values of parameters. */
export function describeSorts(sorts: readonly string[]): string {
  return `One of ${sorts.join(', ')}; with \`-\` before it the other way round.`;
}

/** Whether there is something that only a search answers. */
export function isSearch({ q, sort, offset, count }: AskedList): boolean {
  return q !== undefined || sort !== undefined || offset !== undefined || count === 'true';
}

/**
 * @param first the order where none is asked for, which is that of markers too
 * @throws ServiceError `invalid_object` for a marker
 */
export function toPageList<Sort extends string>(
  { sort, offset = 0, limit = LIMIT, count, marker }: AskedList,
  sorts: readonly Sort[],
  first: Sort,
): PageListQuery<Sort> {
  if (marker !== undefined)
    throw ServiceError.ofField(
      'invalid_object',
      'marker',
      'additionalProperties',
      'marker: pages of a list with q, sort, offset or count begin at an offset.',
    );
  const name = sort?.replace(/^-/, '');
  const known = sorts.find((one) => one === name) ?? first;
  return { sort: known, isDescending: sort?.startsWith('-') ?? false, offset, limit, counts: count === 'true' };
}
