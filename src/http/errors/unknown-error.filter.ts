import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { ApiRequest } from '../request.js';
import { traceIdOf } from '../traceparent.js';
import { ErrorAnswer } from './error-answer.js';
import { HttpError } from './http-error.js';

/** Answers unexpected errors with 500. The log has the error, the answer only the request id (behaviour 2.3). */
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
