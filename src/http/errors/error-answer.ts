import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { ServiceError } from '../../common/service-error.js';
import { inUtf8, JSON_TYPE, PROBLEM_TYPE } from '../bodies/media-types.js';
import { HttpOptions } from '../http.options.js';
import { RequestLimits } from '../request-limits.js';
import { RawResponse } from '../custom-responses.js';
import type { ApiRequest } from '../request.js';
import { shownErrors, type Refusal, refusalOf, type RefusalStyle } from './error-table.js';
import type { HttpError } from './http-error.js';

const RETRY_AFTER_S = 2;
/** Errors after which a client may repeat the same request. */
const RETRIED = new Set(['unavailable', 'request_in_progress']);

/** Sends errors with status and type of the interface, as its error body or as problem details (RFC 9457). */
@Injectable()
export class ErrorAnswer {
  constructor(
    private readonly options: HttpOptions,
    private readonly limits: RequestLimits,
  ) {}

  send(host: ArgumentsHost, error: ServiceError | HttpError): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return void response.destroy();
    const style = this.options.interfaceOf(request.path).refusals;
    const refusal = refusalOf(error, style);
    const retryAfter = retryAfterOf(error, refusal);
    if (retryAfter !== null) response.setHeader('Retry-After', String(retryAfter));
    // RFC 9110 §15.5.2 requires it.
    if (refusal.status === 401) response.setHeader('WWW-Authenticate', this.options.challenges);
    this.limits.tell(request, response);
    // The operation may have set a Content-Type for its own answer.
    answerTo(request, refusal, style).sendTo(response);
  }

  answerTo(request: ApiRequest, error: ServiceError | HttpError): RawResponse {
    const style = this.options.interfaceOf(request.path).refusals;
    return answerTo(request, refusalOf(error, style), style);
  }
}

function answerTo(request: ApiRequest, refusal: Refusal, style: RefusalStyle): RawResponse {
  const { contentType } = style;
  if (contentType !== undefined)
    return new RawResponse(refusal.status, contentType, JSON.stringify(style.bodyOf(refusal, request.requestId)));
  const isProblem = wantsProblem(request);
  const body = isProblem ? problemOf(refusal, request.requestId) : style.bodyOf(refusal, request.requestId);
  const type = isProblem ? PROBLEM_TYPE : JSON_TYPE;
  return new RawResponse(refusal.status, `${type}; charset=utf-8`, JSON.stringify(body));
}

/** Seconds. */
function retryAfterOf(error: ServiceError | HttpError, { type }: Refusal): number | null {
  if (error instanceof ServiceError && error.retryAfter !== null) return error.retryAfter;
  return RETRIED.has(type) ? RETRY_AFTER_S : null;
}

/** RFC 9457 §3. */
function problemOf({ status, type, reason, params, message, errors }: Refusal, requestId: string): object {
  return {
    type: `urn:zonewright:error:${type}`,
    title: STATUS_CODES[status],
    status,
    detail: message,
    reason,
    params,
    ...shownErrors(errors),
    request_id: requestId,
  };
}

function wantsProblem(request: ApiRequest): boolean {
  const preferred = request.accepts([JSON_TYPE, PROBLEM_TYPE].flatMap(inUtf8));
  return preferred !== false && preferred.startsWith(PROBLEM_TYPE);
}
