import { applyDecorators } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { MayBeAbsent, IntegerParameter } from '../bodies/field-decorators.js';
import { ApiPropertyOptional } from '../openapi/decorators.js';

/** Characters of a search term. */
export const LONGEST_SEARCHED = 255;
/** If no index has the order, memory holds the entries before the offset. */
const MAX_OFFSET = 200_000;
const LIMIT = 200;

/** Parameters of a search, whose pages have numbers instead of markers (behaviour 6.7). */
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

export function sortsOf(sorts: readonly string[]): string[] {
  return sorts.flatMap((sort) => [sort, `-${sort}`]);
}

/** Needed because the document does not list parameter values. */
export function describeSorts(sorts: readonly string[]): string {
  return `One of ${sorts.join(', ')}; with \`-\` before it the other way round.`;
}

export function isSearch({ q, sort, offset, count }: AskedList): boolean {
  return q !== undefined || sort !== undefined || offset !== undefined || count === 'true';
}

/** @param first default order, also of markers @throws ServiceError `invalid_object` for a marker */
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
