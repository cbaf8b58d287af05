import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { HttpOptions } from '../http.options.js';
import type { RawResponse } from '../custom-responses.js';
import { type ApiRequest, traceIdOf } from '../request.js';
import { ErrorAnswer } from './error-answer.js';
import { HttpError } from './http-error.js';
import { ServiceError } from '../../common/service-error.js';

const NOT_FOUND: number = HttpStatus.NOT_FOUND;

/** Answers errors of Nest and Express before a controller: unknown paths and methods. */
@Catch(HttpException)
export class HttpExceptionFilter implements ExceptionFilter<HttpException> {
  constructor(
    private readonly answer: ErrorAnswer,
    private readonly options: HttpOptions,
  ) {}

  catch(exception: HttpException, host: ArgumentsHost): void {
    const options = this.optionsOf(host.switchToHttp().getRequest<ApiRequest>());
    if (options !== null) options.sendTo(host.switchToHttp().getResponse<Response>());
    else this.answer.send(host, errorOf(exception, host));
  }

  /** `null` for other methods, and if the interface does not answer OPTIONS. */
  private optionsOf(request: ApiRequest): RawResponse | null {
    if (request.method !== 'OPTIONS') return null;
    const methods = allowedMethods(request);
    return methods.length === 0 ? null : (this.options.interfaceOf(request.path).optionsOf?.(methods) ?? null);
  }
}

function errorOf(exception: HttpException, host: ArgumentsHost): HttpError {
  const request = host.switchToHttp().getRequest<ApiRequest>();
  const methods = allowedMethods(request);
  if (methods.length > 0 && !methods.includes(request.method)) return methodNotAllowed(request, methods, host);
  // The router answers 400 for an undecodable path, but such a path names nothing.
  if (methods.length === 0 || exception.getStatus() === NOT_FOUND)
    return new HttpError('not_found', 'There is nothing at this path.');
  return new HttpError('bad_request', exception.message);
}

function methodNotAllowed({ method }: ApiRequest, methods: readonly string[], host: ArgumentsHost): HttpError {
  const allowed = methods.join(', ');
  host.switchToHttp().getResponse<Response>().setHeader('Allow', allowed);
  return new HttpError('method_not_allowed', `${method} is not possible here; use ${allowed}.`);
}

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Upper case and sorted. Empty for an unknown path. */
function allowedMethods(request: ApiRequest): string[] {
  // The types of Express omit the router stack.
  const { stack } = (request.app as unknown as { readonly router: { readonly stack: readonly Layer[] } }).router;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (layer.route === undefined || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Matching decodes the path and throws for invalid percent-encoding. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

@Catch(ServiceError, HttpError)
export class ServiceErrorFilter implements ExceptionFilter<ServiceError | HttpError> {
  constructor(private readonly answer: ErrorAnswer) {}

  catch(error: ServiceError | HttpError, host: ArgumentsHost): void {
    this.answer.send(host, error);
  }
}

/** Answers 500 for unexpected errors. The log has the error, the answer only the request id (behaviour 2.3). */
@Catch()
export class UnknownErrorFilter implements ExceptionFilter<unknown> {
  private readonly logger = new Logger('Zonewright');

  constructor(private readonly answer: ErrorAnswer) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const { requestId, method, path, headers } = host.switchToHttp().getRequest<ApiRequest>();
    const trace = traceIdOf(headers);
    const cause = error instanceof Error ? error.stack : String(error);
    this.logger.error(
      `${requestId}${trace === null ? '' : ` trace ${trace}`} ${method} ${JSON.stringify(path)}: ${cause ?? ''}`,
    );
    const message = `The service failed unexpectedly. Tell the operator the request id ${requestId}.`;
    this.answer.send(host, new HttpError('unknown', message));
  }
}
