import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { ServiceError } from '../common/service-error.js';
import { HttpError } from './errors/http-error.js';
import type { ApiRequest } from './request.js';

/** One entity tag of a list and its comma (RFC 9110 §8.8.3, §5.6.1). */
const TAG = /[ \t]*(?<tag>(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y;

/** Strong entity tag. The time distinguishes a recreated object from the deleted one. */
export function entityTag(version: number, changedAt: number): string {
  return `"${version}-${changedAt.toString(36)}"`;
}

/** Whether `If-None-Match` has the tag and no `Cache-Control` overrides it (RFC 9110 §13.1.2, RFC 9111 §5.2.1.4). */
export function isKnownTag(response: Response, tag: string): boolean {
  response.setHeader('ETag', tag);
  if (response.req.fresh) return true;
  // The response may have another tag, or be an error.
  response.removeHeader('ETag');
  return false;
}

/** Condition of `If-Match` (behaviour 10.1). */
export class Precondition {
  /** @param tags `null` for `*`, which matches any version */
  constructor(private readonly tags: ReadonlySet<string> | null) {}

  /** Compares strongly (RFC 9110 §8.8.3.2). @throws ServiceError `precondition_failed` */
  assertHolds(tag: string): void {
    if (this.tags === null || this.tags.has(tag)) return;
    throw new ServiceError(
      'precondition_failed',
      'It has changed since you read it. Read it again and repeat the change with its new entity tag in If-Match.',
    );
  }
}

export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): Precondition | null => {
  const value = context.switchToHttp().getRequest<ApiRequest>().headers['if-match'];
  if (value === undefined) return null;
  return new Precondition(value.trim() === '*' ? null : readTags(value));
});

function readTags(value: string): ReadonlySet<string> {
  const tags = new Set<string>();
  for (TAG.lastIndex = 0; TAG.lastIndex < value.length;) {
    const found = TAG.exec(value);
    if (found === null) throw malformed();
    if (found.groups?.tag !== undefined) tags.add(found.groups.tag);
  }
  if (tags.size === 0) throw malformed();
  return tags;
}

function malformed(): HttpError {
  return new HttpError('bad_request', 'If-Match is * or a list of entity tags, each in quotes.');
}
