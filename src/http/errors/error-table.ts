import { HttpStatus } from '@nestjs/common';
import { because, type RefusalFacts, type RefusalParam } from '../../common/refusal-facts.js';
import { type ErrorCode, type FieldError, ServiceError, type SharedErrorCode } from '../../common/service-error.js';
import { HTTP_ERROR_STATUS, type HttpError } from './http-error.js';

export interface ErrorTableEntry {
  readonly status: number;
  readonly type: string;
  /** Replaces a message whose terms the interface does not use. */
  readonly message?: string;
}

const { BAD_REQUEST, UNAUTHORIZED, NOT_FOUND, CONFLICT } = HttpStatus;

/** Statuses and types that versions 1 and 2 have in common. */
export const SHARED_ERRORS = {
  invalid_object: { status: BAD_REQUEST, type: 'invalid_object' },
  change_not_allowed: { status: BAD_REQUEST, type: 'bad_request' },
  invalid_location: { status: BAD_REQUEST, type: 'invalid_recordset_location' },
  invalid_ttl: { status: BAD_REQUEST, type: 'invalid_ttl' },
  // The zone would cover records of the same tenant.
  covers_parent_records: { status: BAD_REQUEST, type: 'illegal_child' },
  access_denied: { status: UNAUTHORIZED, type: 'access_denied' },
  serial_not_found: { status: NOT_FOUND, type: 'serial_not_found' },
  token_not_found: { status: NOT_FOUND, type: 'token_not_found' },
  webhook_not_found: { status: NOT_FOUND, type: 'webhook_not_found' },
  delivery_not_found: { status: NOT_FOUND, type: 'delivery_not_found' },
  update_key_not_found: { status: NOT_FOUND, type: 'update_key_not_found' },
  duplicate_update_key: { status: CONFLICT, type: 'duplicate_update_key' },
  template_not_found: { status: NOT_FOUND, type: 'template_not_found' },
  duplicate_template: { status: CONFLICT, type: 'duplicate_template' },
  events_gone: { status: HttpStatus.GONE, type: 'events_gone' },
  signing_conflict: { status: CONFLICT, type: 'dnssec_conflict' },
  duplicate_record: { status: CONFLICT, type: 'duplicate_record' },
  over_quota: { status: HttpStatus.PAYLOAD_TOO_LARGE, type: 'over_quota' },
  file_too_large: { status: HttpStatus.PAYLOAD_TOO_LARGE, type: 'payload_too_large' },
  rate_limited: { status: HttpStatus.TOO_MANY_REQUESTS, type: 'rate_limited' },
  precondition_failed: { status: HttpStatus.PRECONDITION_FAILED, type: 'precondition_failed' },
  idempotency_key_reused: { status: HttpStatus.UNPROCESSABLE_ENTITY, type: 'idempotency_key_reused' },
  request_in_progress: { status: CONFLICT, type: 'request_in_progress' },
  unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, type: 'unavailable' },
} satisfies Partial<Record<SharedErrorCode, ErrorTableEntry>>;

/** Each interface lists its possible codes, so that the compiler requires an entry for each. */
export type ErrorTable = Readonly<Partial<Record<ErrorCode, ErrorTableEntry>>>;

export interface RefusalStyle {
  readonly table: ErrorTable;
  /** For codes without an entry. Default: bad request. */
  readonly others?: ErrorTableEntry;
  readonly contentType?: string;
  bodyOf(refusal: Refusal, requestId: string): object;
}

/** Parts of an error body (behaviour 2.1). */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
  /** Reason for programs, with its parameters (behaviour 2.5). */
  readonly reason: string;
  readonly params: Readonly<Record<string, RefusalParam>>;
}

/** An error in the terms of its interface, so the table must not replace its message. */
export class RefusalInWords extends ServiceError {}

/** For a code that the interface should never meet. */
const NOT_IN_TABLE: ErrorTableEntry = { status: BAD_REQUEST, type: 'bad_request' };

export function refusalOf(error: ServiceError | HttpError, { table, others = NOT_IN_TABLE }: RefusalStyle): Refusal {
  if (!(error instanceof ServiceError)) return httpRefusalOf(error);
  const { status, type, message: words } = table[error.code] ?? others;
  const message = error instanceof RefusalInWords ? error.message : (words ?? error.message);
  // An error of one field repeats its message (ServiceError.ofField).
  const errors = error.errors.map((field) => (field.message === error.message ? { ...field, message } : field));
  const { reason = type, params } = factsOf(error);
  return { status, type, message, errors, reason, params };
}

/** Errors of the request itself are equal in all interfaces, so no table has them. */
export function httpRefusalOf({ code, message }: HttpError): Refusal {
  return { status: HTTP_ERROR_STATUS[code], type: code, message, errors: [], reason: code, params: {} };
}

function factsOf({ firstFacts, retryAfter, code }: ServiceError): Partial<RefusalFacts> & Pick<RefusalFacts, 'params'> {
  if (code === 'rate_limited' && retryAfter !== null) return because('rate_limited', { retry_after: retryAfter });
  return firstFacts ?? { params: {} };
}

/** Behaviour 2.1. */
export function errorBody({ status, type, reason, params, message, errors }: Refusal, requestId: string): object {
  return { code: status, type, reason, params, message, ...shownErrors(errors), request_id: requestId };
}

export function shownErrors(errors: readonly FieldError[]): { readonly errors?: readonly object[] } {
  return errors.length > 0 ? { errors: errors.map(shownError) } : {};
}

function shownError({ path, message, validator, facts }: FieldError): object {
  return { path, message, validator, code: facts?.reason ?? validator, params: facts?.params ?? {} };
}
