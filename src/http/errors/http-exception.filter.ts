import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { HttpOptions } from '../http.options.js';
import type { RawResponse } from '../raw-response.js';
import type { ApiRequest } from '../request.js';
import { ErrorAnswer } from './error-answer.js';
import { HttpError } from './http-error.js';

const NOT_FOUND: number = HttpStatus.NOT_FOUND;

/** Answers what Nest or Express refuse before a controller is reached: no such path, or no such method on it. */
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

  /** `null` for other requests, and where the interface does not answer OPTIONS. */
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
  // A path that cannot be decoded, which the router refuses as 400, names nothing that exists.
  if (methods.length === 0 || exception.getStatus() === NOT_FOUND)
    return new HttpError('not_found', 'There is nothing at this path.');
  return new HttpError('bad_request', exception.message);
}

function methodNotAllowed({ method }: ApiRequest, methods: readonly string[], host: ArgumentsHost): HttpError {
  const allowed = methods.join(', ');
  host.switchToHttp().getResponse<Response>().setHeader('Allow', allowed);
  return new HttpError('method_not_allowed', `${method} is not possible here; use ${allowed}.`);
}
