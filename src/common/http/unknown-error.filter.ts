import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import { ServiceError } from '../service-error.js';
import { answerError } from './error-answer.js';
import type { ApiRequest } from './request.js';

/** What nobody foresaw: the operator gets everything, the caller nothing but the request id. */
@Catch()
export class UnknownErrorFilter implements ExceptionFilter<unknown> {
  private readonly logger = new Logger('Zonewright');

  catch(error: unknown, host: ArgumentsHost): void {
    const { requestId, method, path } = host.switchToHttp().getRequest<ApiRequest>();
    const cause = error instanceof Error ? error.stack : String(error);
    this.logger.error(`${requestId} ${method} ${JSON.stringify(path)}: ${cause ?? ''}`);
    answerError(
      host,
      new ServiceError('unknown', `Something failed that should not have. Quote ${requestId} to the operator.`),
    );
  }
}
