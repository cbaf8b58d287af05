import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { ErrorAnswer } from './error-answer.js';
import { HttpError } from './http-error.js';

/** Answers refusals of the core and of the request itself. */
@Catch(ServiceError, HttpError)
export class ServiceErrorFilter implements ExceptionFilter<ServiceError | HttpError> {
  constructor(private readonly answer: ErrorAnswer) {}

  catch(error: ServiceError | HttpError, host: ArgumentsHost): void {
    this.answer.send(host, error);
  }
}
