import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';
import { allowedMethods } from '../allowed-methods.js';
import type { ApiRequest } from '../request.js';
import { ErrorAnswer } from './error-answer.js';
import { HttpError } from './http-error.js';

const NOT_FOUND: number = HttpStatus.NOT_FOUND;

/** What the platform refuses before a controller is reached: no such route, or no such method on it. */
@Catch(HttpException)
export class HttpExceptionFilter implements ExceptionFilter<HttpException> {
  constructor(private readonly answer: ErrorAnswer) {}

  catch(exception: HttpException, host: ArgumentsHost): void {
    this.answer.send(host, refusedByPlatform(exception, host));
  }
}

function refusedByPlatform(exception: HttpException, host: ArgumentsHost): HttpError {
  const request = host.switchToHttp().getRequest<ApiRequest>();
  const methods = allowedMethods(request);
  if (methods.length > 0 && !methods.includes(request.method)) return refusedMethod(request, methods, host);
  // Also what the router refuses as 400: a path that cannot be decoded names nothing that exists.
  if (methods.length === 0 || exception.getStatus() === NOT_FOUND)
    return new HttpError('not_found', 'There is nothing at this path.');
  return new HttpError('bad_request', exception.message);
}

function refusedMethod({ method }: ApiRequest, methods: readonly string[], host: ArgumentsHost): HttpError {
  const allowed = methods.join(', ');
  host.switchToHttp().getResponse<Response>().setHeader('Allow', allowed);
  return new HttpError('method_not_allowed', `${method} is not possible here; use ${allowed}.`);
}
