import { isUtf8 } from 'node:buffer';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RequestMemory } from '../../common/request-memory.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { HttpError } from '../errors/http-error.js';
import { untilAnswered } from '../request-lifetime.js';
import { HttpOptions } from '../http.options.js';
import { type BodyRefusals, invalidBody } from '../api-interface.js';
import { BODY_OPTIONAL, CONSUMES, inUtf8, JSON_TYPE, PROBLEM_TYPE, PRODUCES } from './media-types.js';
import type { ApiRequest } from '../request.js';
import getRawBody from 'raw-body';

const JSON_ALONE = [JSON_TYPE];
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
/** Octets. */
const LARGE = 8192;
const NULL = Buffer.from('null');
type Operation = ReturnType<ExecutionContext['getHandler']>;
const OTHER_CHARSET = /^\s*charset=(?!"?utf-?8"?\s*$)/;

/**
 * Reads the body into `request.body`: a JSON object, or a Buffer with `@Consumes`. Runs after the authentication guard,
 * so that unauthenticated bodies remain unread, and before the pipes (behaviour 3.4).
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(
    private readonly options: HttpOptions,
    private readonly reflector: Reflector,
    private readonly memory: RequestMemory,
  ) {}

  /** @throws HttpError for media types and length, `BodyRefusals` of the interface for the JSON */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const operation = context.getHandler();
    const { ignoresMediaTypes = false } = this.options.interfaceOf(request.path);
    if (!ignoresMediaTypes) this.assertAcceptable(request, operation);
    if (METHODS_WITH_BODY.has(request.method)) {
      const type = ignoresMediaTypes ? null : this.typeOf(operation);
      const isOptional = this.reflector.get<boolean | undefined>(BODY_OPTIONAL, operation) ?? false;
      request.body = isOptional ? await this.readOptional(request, type) : await this.read(request, type);
    }
    return true;
  }

  private assertAcceptable(request: ApiRequest, operation: Operation): void {
    assertAcceptable(request, this.reflector.get<readonly string[] | undefined>(PRODUCES, operation) ?? JSON_ALONE);
  }

  private typeOf(operation: Operation): string {
    return this.reflector.get<string | undefined>(CONSUMES, operation) ?? JSON_TYPE;
  }

  /** @param type required media type; `null`: JSON without a check */
  private async read(request: ApiRequest, type: string | null): Promise<object> {
    if (type !== null) assertMediaType(request, type);
    const octets = await this.bodyOf(request);
    // One megabyte of JSON takes as long as a hundred requests, so let them run first.
    if (octets.length > LARGE) await nextTurn();
    return type === null || type === JSON_TYPE ? parseObject(octets, this.refusalsOf(request)) : octets;
  }

  /** Tempest sends `null` without a media type for no body. A chunked body may turn out to be empty. */
  private async readOptional(request: ApiRequest, type: string | null): Promise<object> {
    if (!hasBody(request)) return {};
    const octets = await this.bodyOf(request);
    if (octets.length === 0 || octets.equals(NULL)) return {};
    if (type !== null) assertMediaType(request, type);
    if (octets.length > LARGE) await nextTurn();
    return parseObject(octets, this.refusalsOf(request));
  }

  /** A large body waits for memory before anything is read. @throws HttpError, ServiceError `unavailable` */
  private async bodyOf(request: ApiRequest): Promise<Buffer> {
    const most = this.mostOctets(request);
    const octets = Number(request.headers['content-length'] ?? most);
    const { caller, res } = request;
    if (octets > LARGE && octets <= most && hasBody(request) && res !== undefined)
      untilAnswered(res)(await this.memory.holdBody(caller?.tenantId ?? '', octets));
    return readBody(request, most);
  }

  private mostOctets({ path }: ApiRequest): number {
    return this.options.interfaceOf(path).maxBodySize ?? this.options.maxBodySize;
  }

  private refusalsOf({ path }: ApiRequest): BodyRefusals {
    return this.options.interfaceOf(path).bodyRefusals;
  }
}

/** A client that accepts only problem details may call JSON operations: it can read their errors. */
function assertAcceptable(request: ApiRequest, produced: readonly string[]): void {
  const { accept } = request.headers;
  // Most clients send one of these, which need no negotiation.
  if (accept === undefined || accept === '*/*' || produced.includes(accept) || produced.length === 0) return;
  const possible = produced.includes(JSON_TYPE) ? [...produced, PROBLEM_TYPE] : produced;
  if (request.accepts(possible.flatMap(inUtf8)) !== false) return;
  throw new HttpError(
    'unsupported_accept',
    `The answer is ${produced.join(' or ')}: let the Accept header include it.`,
  );
}

/** Accepts an empty body without a media type, which is refused later as empty. */
function assertMediaType(request: ApiRequest, wanted: string): void {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers;
  if (coding.toLowerCase() !== 'identity')
    throw new HttpError('unsupported_content_type', 'Send the body as it is, without a Content-Encoding.');
  if (type === undefined && !hasBody(request)) return;
  const [mediaType = '', ...parameters] = (type ?? '').toLowerCase().split(';');
  const hasOtherCharset = parameters.some((parameter) => OTHER_CHARSET.test(parameter));
  if (mediaType.trim() === wanted && !hasOtherCharset) return;
  throw new HttpError('unsupported_content_type', `Send the body as ${wanted} in UTF-8 with that Content-Type.`);
}

function hasBody(request: ApiRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

function parseObject(octets: Buffer, refusals: BodyRefusals): object {
  if (octets.length === 0) throw refusals.empty(wordsFor('is empty'));
  if (!isUtf8(octets)) throw refusals.notJson(wordsFor('is not UTF-8'));
  const text = octets.toString('utf8');
  const value = parseJson(text, refusals);
  if (value === null) throw refusals.empty(wordsFor('is null'));
  if (typeof value !== 'object' || Array.isArray(value)) throw refusals.notObject(wordsFor('is not a JSON object'));
  if (hasRepeatedKey(text)) throw invalidBody(wordsFor('has a key twice', 'send each key once'));
  return value;
}

function parseJson(text: string, refusals: BodyRefusals): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusals.notJson(wordsFor('is not JSON'));
  }
}

function wordsFor(problem: string, remedy = 'send a JSON object in UTF-8'): string {
  return `The body ${problem}; ${remedy}.`;
}

/**
 * Answers `Expect: 100-continue` unless the body is too long (RFC 9110 §10.1.1).
 * @throws HttpError `payload_too_large`, and `bad_request` if the body ends before its announced length
 */
async function readBody(request: ApiRequest, limit: number): Promise<Buffer> {
  const length = request.headers['content-length'] ?? null;
  const isAsking = request.headers.expect?.toLowerCase() === '100-continue';
  if (isAsking && Number(length) <= limit) request.res?.writeContinue();
  try {
    return await getRawBody(request, { length, limit });
  } catch (error) {
    // Resume the request. A client that cannot send the rest might never read its answer.
    request.resume();
    throw refusalOf(error, limit);
  }
}

function refusalOf(error: unknown, limit: number): HttpError {
  const isTooLong = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
  return isTooLong
    ? new HttpError('payload_too_large', `The body is longer than ${limit} octets; send a shorter one.`)
    : new HttpError('bad_request', 'The body ended before its announced length.');
}

/** RFC 8259 §4 does not define duplicate keys: a proxy may have checked one value, while we store the other. */
export function hasRepeatedKey(json: string): boolean {
  const open: Set<string>[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(json, at);
      const keys = open.at(-1);
      if (keys !== undefined && isKey(json, end)) {
        const key = keyOf(json.slice(at, end));
        if (keys.has(key)) return true;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return false;
}

/** A body may have 100,000 keys, so parse only the few with an escape. */
function keyOf(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let backslashes = 0;
  while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Only keys have a colon after them. */
function isKey(json: string, end: number): boolean {
  let next = end;
  while (/\s/.test(json[next] ?? '')) next += 1;
  return json[next] === ':';
}
