import type { Refusal } from './error-table.js';

/** The error body of behaviour 2.1. */
export function errorBody({ status, type, message, errors }: Refusal, requestId: string): object {
  return { code: status, type, message, ...(errors.length > 0 ? { errors } : {}), request_id: requestId };
}
