import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ServiceError } from '../service-error.js';
import { answerError } from './error-answer.js';

/** A refusal of our own, in the status that the table names. */
@Catch(ServiceError)
export class ServiceErrorFilter implements ExceptionFilter<ServiceError> {
  catch(error: ServiceError, host: ArgumentsHost): void {
    answerError(host, error);
  }
}
