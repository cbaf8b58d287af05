import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';
import { ServiceError } from '../service-error.js';
import { allowedMethods } from './allowed-methods.js';
import { answerError } from './error-answer.js';
import type { ApiRequest } from './request.js';

/** What the platform refuses before a controller is reached: no such route, or no such method on it. */
@Catch(HttpException)
export class HttpExceptionFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const methods = allowedMethods(request);
    // A path that cannot be decoded reaches us as 400 from the router; it names nothing that exists.
    const isNoRoute = exception.getStatus() === Number(HttpStatus.NOT_FOUND) || exception.message.includes('decode');
    if (!isNoRoute) return answerError(host, new ServiceError('bad_request', exception.message));
    if (methods.length === 0) return answerError(host, new ServiceError('not_found', 'There is nothing at this path.'));
    host.switchToHttp().getResponse<Response>().setHeader('Allow', methods.join(', '));
    answerError(
      host,
      new ServiceError('method_not_allowed', `${request.method} is not possible here; use ${methods.join(', ')}.`),
    );
  }
}
