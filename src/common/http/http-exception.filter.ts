import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';
import { ServiceError } from '../service-error.js';
import { allowedMethods } from './allowed-methods.js';
import { answerError } from './error-answer.js';
import type { ApiRequest } from './request.js';

const NOT_FOUND: number = HttpStatus.NOT_FOUND;

/** What the platform refuses before a controller is reached: no such route, or no such method on it. */
@Catch(HttpException)
export class HttpExceptionFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const methods = allowedMethods(request);
    if (methods.length > 0 && !methods.includes(request.method)) return refuseMethod(request, methods, host);
    // Also what the router refuses as 400: a path that cannot be decoded names nothing that exists.
    if (methods.length === 0 || exception.getStatus() === NOT_FOUND)
      return answerError(host, new ServiceError('not_found', 'There is nothing at this path.'));
    answerError(host, new ServiceError('bad_request', exception.message));
  }
}

function refuseMethod({ method }: ApiRequest, methods: readonly string[], host: ArgumentsHost): void {
  const allowed = methods.join(', ');
  host.switchToHttp().getResponse<Response>().setHeader('Allow', allowed);
  answerError(host, new ServiceError('method_not_allowed', `${method} is not possible here; use ${allowed}.`));
}
