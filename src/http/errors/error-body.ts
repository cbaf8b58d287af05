import type { FieldError } from '../../common/service-error.js';
import type { Refusal } from './error-table.js';

/** The error body of behaviour 2.1. */
export function errorBody({ status, type, reason, params, message, errors }: Refusal, requestId: string): object {
  return { code: status, type, reason, params, message, ...shownErrors(errors), request_id: requestId };
}

/** The fields at fault, where there are any. */
export function shownErrors(errors: readonly FieldError[]): { readonly errors?: readonly object[] } {
  return errors.length > 0 ? { errors: errors.map(shownError) } : {};
}

function shownError({ path, message, validator, facts }: FieldError): object {
  return { path, message, validator, code: facts?.reason ?? validator, params: facts?.params ?? {} };
}
