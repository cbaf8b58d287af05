import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { ServiceError } from '../common/service-error.js';
import { HttpError } from './errors/http-error.js';
import type { ApiRequest } from './request.js';

/** One entity tag of a list, and the comma behind it (RFC 9110 §8.8.3 and §5.6.1). */
const TAG = /[ \t]*(?<tag>(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y;

/**
 * A strong entity tag of something that has a version and a time of its last change. The time tells what was deleted and
 * has come back from what it was.
 */
export function entityTag(version: number, changedAt: number): string {
  return `"${version}-${changedAt.toString(36)}"`;
}

/**
 * Whether the client has said in `If-None-Match` that it has what that tag is of, and has not asked for it all the same
 * (RFC 9110 §13.1.2, RFC 9111 §5.2.1.4).
 */
export function isKnownTag(response: Response, tag: string): boolean {
  response.setHeader('ETag', tag);
  if (response.req.fresh) return true;
  // What is sent after all may be another one, or a refusal.
  response.removeHeader('ETag');
  return false;
}

/** What `If-Match` asks for (behaviour 10.1). */
export class Precondition {
  /** @param tags `null` for `*`: whatever is there */
  constructor(private readonly tags: ReadonlySet<string> | null) {}

  /**
   * By strong comparison: a weak tag never agrees, because ours are strong (RFC 9110 §8.8.3.2).
   * @throws ServiceError `precondition_failed`
   */
  assertHolds(tag: string): void {
    if (this.tags === null || this.tags.has(tag)) return;
    throw new ServiceError(
      'precondition_failed',
      'It has changed since you read it. Read it again and repeat the change with its new entity tag in If-Match.',
    );
  }
}

/** Injects the condition of the request, `null` where it has none. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): Precondition | null => {
  const value = context.switchToHttp().getRequest<ApiRequest>().headers['if-match'];
  if (value === undefined) return null;
  return new Precondition(value.trim() === '*' ? null : readTags(value));
});

/** @throws HttpError `bad_request` */
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
