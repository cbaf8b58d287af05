import { STATUS_CODES } from 'node:http';
import type { ArgumentsHost } from '@nestjs/common';
import type { Response } from 'express';
import type { ServiceError } from '../service-error.js';
import { ERROR_STATUS } from './error-status.js';
import { inUtf8, JSON_TYPE, PROBLEM_TYPE } from './media-types.js';
import type { ApiRequest } from './request.js';

/** Seconds after which a client may try again what the database refused. */
const RETRY_AFTER = 2;

/** Writes the refusal in the form that the caller reads: the service's own, or RFC 9457 when it asks for that. */
export function answerError(host: ArgumentsHost, error: ServiceError): void {
  const request = host.switchToHttp().getRequest<ApiRequest>();
  const response = host.switchToHttp().getResponse<Response>();
  if (response.headersSent) return void response.destroy();
  const status: number = ERROR_STATUS[error.code];
  if (status === 503) response.setHeader('Retry-After', String(RETRY_AFTER));
  // RFC 9110 §15.5.2 asks for it; of the schemes that answer, Bearer is the one with a registered name.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.status(status);
  if (wantsProblem(request)) response.type(PROBLEM_TYPE).send(JSON.stringify(problemOf(error, request.requestId)));
  else response.json(errorBody(error, request.requestId));
}

/** The body of behaviour 2.1. */
export function errorBody(error: ServiceError, requestId: string): object {
  return { code: ERROR_STATUS[error.code], type: error.code, message: error.message, ...detailsOf(error, requestId) };
}

function problemOf(error: ServiceError, requestId: string): object {
  const status: number = ERROR_STATUS[error.code];
  return {
    type: `urn:zonewright:error:${error.code}`,
    title: STATUS_CODES[status],
    status,
    detail: error.message,
    ...detailsOf(error, requestId),
  };
}

function detailsOf({ errors }: ServiceError, requestId: string): object {
  return { ...(errors.length > 0 ? { errors } : {}), request_id: requestId };
}

function wantsProblem(request: ApiRequest): boolean {
  const preferred = request.accepts([JSON_TYPE, PROBLEM_TYPE].flatMap(inUtf8));
  return preferred !== false && preferred.startsWith(PROBLEM_TYPE);
}
