import { isUtf8 } from 'node:buffer';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ServiceError } from '../../common/service-error.js';
import { HttpError } from '../errors/http-error.js';
import { HttpOptions } from '../http.options.js';
import { CONSUMES, inUtf8, JSON_TYPE, PROBLEM_TYPE, PRODUCES } from './media-types.js';
import { readBody } from './read-body.js';
import { hasRepeatedKey } from './repeated-key.js';
import type { ApiRequest } from '../request.js';

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
/** A charset parameter with another value than UTF-8. */
const FOREIGN_CHARSET = /^\s*charset=(?!"?utf-?8"?\s*$)/;

/**
 * Reads the body, after the guard of access and before the pipes: a caller without a credential is refused before a
 * single octet of its body is looked at (behaviour 3.4). It is a JSON object unless the operation `@Consumes` something
 * else.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(
    private readonly options: HttpOptions,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const operation = context.getHandler();
    assertWelcome(request, this.reflector.get<string | undefined>(PRODUCES, operation) ?? JSON_TYPE);
    if (METHODS_WITH_BODY.has(request.method)) {
      const type = this.reflector.get<string | undefined>(CONSUMES, operation) ?? JSON_TYPE;
      assertSent(request, type);
      const octets = await readBody(request, this.options.maxBodySize);
      request.body = type === JSON_TYPE ? parseObject(octets) : octets;
    }
    return true;
  }
}

/** A caller who reads nothing but problems is content with an operation that answers JSON, and sees the problems. */
function assertWelcome(request: ApiRequest, produced: string): void {
  const { accept } = request.headers;
  // What nearly everybody sends needs no negotiation.
  if (accept === undefined || accept === '*/*' || accept === produced) return;
  const readable = produced === JSON_TYPE ? [JSON_TYPE, PROBLEM_TYPE] : [produced];
  if (request.accepts(readable.flatMap(inUtf8)) !== false) return;
  throw new HttpError('unsupported_accept', `The answer is ${produced}: let the Accept header include it.`);
}

/** A body of no octets needs no media type: it is refused for being empty. */
function assertSent(request: ApiRequest, wanted: string): void {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers;
  if (coding.toLowerCase() !== 'identity')
    throw new HttpError('unsupported_content_type', 'Send the body as it is, without a Content-Encoding.');
  if (type === undefined && !hasBody(request)) return;
  const [mediaType = '', ...parameters] = (type ?? '').toLowerCase().split(';');
  const isForeign = parameters.some((parameter) => FOREIGN_CHARSET.test(parameter));
  if (mediaType.trim() === wanted && !isForeign) return;
  throw new HttpError('unsupported_content_type', `Send the body as ${wanted} in UTF-8 with that Content-Type.`);
}

function hasBody(request: ApiRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

function parseObject(octets: Buffer): object {
  if (octets.length === 0) throw refusedBody('is empty');
  if (!isUtf8(octets)) throw refusedBody('is not UTF-8');
  const text = octets.toString('utf8');
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusedBody('is not a JSON object');
  if (hasRepeatedKey(text)) throw refusedBody('says a field twice', 'say each once');
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusedBody('is not JSON');
  }
}

function refusedBody(fault: string, wayOut = 'send a JSON object in UTF-8'): ServiceError {
  return ServiceError.ofField('invalid_object', '', 'type', `The body ${fault}; ${wayOut}.`);
}
