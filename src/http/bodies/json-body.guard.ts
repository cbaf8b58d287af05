import { isUtf8 } from 'node:buffer';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RequestMemory } from '../../common/request-memory.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { HttpError } from '../errors/http-error.js';
import { untilAnswered } from '../held-until-answered.js';
import { HttpOptions } from '../http.options.js';
import { type BodyRefusals, invalidBody } from './body-refusals.js';
import { BODY_OPTIONAL, CONSUMES, inUtf8, JSON_TYPE, PROBLEM_TYPE, PRODUCES } from './media-types.js';
import { readBody } from './read-body.js';
import { hasRepeatedKey } from './repeated-key.js';
import type { ApiRequest } from '../request.js';

const JSON_ALONE = [JSON_TYPE];
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
/** In octets. */
const LARGE = 8192;
const NULL = Buffer.from('null');
type Operation = ReturnType<ExecutionContext['getHandler']>;
/** A charset parameter with another value than UTF-8. */
const OTHER_CHARSET = /^\s*charset=(?!"?utf-?8"?\s*$)/;

/**
 * Checks the media types and reads the body into `request.body`: a JSON object, or a Buffer where the operation
 * `@Consumes` another media type. It runs after the authentication guard, so that nothing is read of a body whose
 * sender is refused, and before the pipes (behaviour 3.4).
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(
    private readonly options: HttpOptions,
    private readonly reflector: Reflector,
    private readonly memory: RequestMemory,
  ) {}

  /** @throws HttpError for the media types and the length; for the JSON what the interface says */
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

  /** @param type what the body has to be; `null` for JSON, whatever it says of itself */
  private async read(request: ApiRequest, type: string | null): Promise<object> {
    if (type !== null) assertMediaType(request, type);
    const octets = await this.bodyOf(request);
    // To read a megabyte of JSON takes as long as a hundred requests: they get their turn between two of them.
    if (octets.length > LARGE) await nextTurn();
    return type === null || type === JSON_TYPE ? parseObject(octets, this.refusalsOf(request)) : octets;
  }

  /** Tempest sends `null` for no body, and that without a media type. A body in chunks may turn out to be empty. */
  private async readOptional(request: ApiRequest, type: string | null): Promise<object> {
    if (!hasBody(request)) return {};
    const octets = await this.bodyOf(request);
    if (octets.length === 0 || octets.equals(NULL)) return {};
    if (type !== null) assertMediaType(request, type);
    if (octets.length > LARGE) await nextTurn();
    return parseObject(octets, this.refusalsOf(request));
  }

  /** A large one waits for its turn before any of it is read. @throws HttpError, ServiceError `unavailable` */
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

/** A client that accepts problem details alone may call operations that answer JSON: it reads their refusals. */
function assertAcceptable(request: ApiRequest, produced: readonly string[]): void {
  const { accept } = request.headers;
  // Most clients send one of these: no negotiation is needed.
  if (accept === undefined || accept === '*/*' || produced.includes(accept) || produced.length === 0) return;
  const possible = produced.includes(JSON_TYPE) ? [...produced, PROBLEM_TYPE] : produced;
  if (request.accepts(possible.flatMap(inUtf8)) !== false) return;
  throw new HttpError(
    'unsupported_accept',
    `The answer is ${produced.join(' or ')}: let the Accept header include it.`,
  );
}

/** An empty body needs no media type: it is refused later, for being empty. */
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
