import type { RefusalFacts } from './refusal-facts.js';

/** Error codes of the core. Each interface maps them to its statuses and words. */
export type ErrorCode = SharedErrorCode | RareErrorCode;

/** Error codes of several features. */
export type SharedErrorCode =
  | 'invalid_object'
  | 'change_not_allowed'
  | 'invalid_location'
  | 'invalid_ttl'
  | 'invalid_zone_name'
  | 'inside_foreign_zone'
  | 'contains_foreign_zone'
  | 'covers_parent_records'
  | 'zone_has_child_zones'
  | 'zone_is_shared'
  | 'secondary_zone'
  // The service does not know the caller.
  | 'access_denied'
  // The service knows the caller, who may not do this.
  | 'forbidden'
  | 'zone_not_found'
  | 'record_not_found'
  | 'serial_not_found'
  | 'token_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'update_key_not_found'
  | 'duplicate_update_key'
  | 'template_not_found'
  | 'duplicate_template'
  | 'events_gone'
  | 'duplicate_record'
  | 'signing_conflict'
  | 'duplicate_zone'
  | 'over_quota'
  | 'precondition_failed'
  | 'idempotency_key_reused'
  | 'request_in_progress'
  | 'file_too_large'
  | 'rate_limited'
  | 'unavailable';

/** Codes for interfaces with record set ids, filtered lists, tasks or administration. */
export type RareErrorCode =
  | 'record_set_not_found'
  | 'duplicate_record_set'
  | 'invalid_uuid'
  | 'invalid_marker'
  | 'marker_not_found'
  | 'invalid_limit'
  | 'invalid_sort_key'
  | 'invalid_sort_dir'
  | 'bad_filter'
  | 'zone_import_not_found'
  | 'zone_export_not_found'
  | 'transfer_request_not_found'
  | 'duplicate_transfer_request'
  | 'invalid_transfer_request'
  | 'transfer_accept_not_found'
  | 'invalid_transfer_key'
  | 'share_not_found'
  | 'duplicate_share'
  | 'shared_zone_has_record_sets'
  | 'tld_not_found'
  | 'duplicate_tld'
  | 'blacklist_not_found'
  | 'duplicate_blacklist'
  | 'tsig_key_not_found'
  | 'duplicate_tsig_key'
  | 'pool_not_found'
  | 'duplicate_pool'
  | 'duplicate_master'
  | 'service_status_not_found'
  | 'floating_ip_not_found';

/** JSON Schema keywords. */
export type FieldValidator =
  'required' | 'type' | 'enum' | 'format' | 'maxLength' | 'minimum' | 'maximum' | 'additionalProperties';

/** `path` is the field, `''` the whole object, `quota.zones` a field of a wrapper. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly validator: FieldValidator;
  /** Reason, if finer than the validator. */
  readonly facts?: RefusalFacts | undefined;
}

/** Bounds the answer, which must not be a multiple of the request (behaviour 2.1). */
export const MOST_ERRORS = 100;
const QUOTED_ERRORS = 3;

/** Error of the core, independent of HTTP. */
export class ServiceError extends Error {
  /** At most `MOST_ERRORS`. The message says if more exist. */
  readonly errors: readonly FieldError[];

  constructor(
    readonly code: ErrorCode,
    message: string,
    errors: readonly FieldError[] = [],
    /** Seconds, if known. */
    readonly retryAfter: number | null = null,
    /** Reason of the whole error, if finer than the code. */
    readonly facts?: RefusalFacts,
  ) {
    super(errors.length > MOST_ERRORS ? `${message} Only the first ${MOST_ERRORS} errors are listed.` : message);
    this.name = 'ServiceError';
    this.errors = errors.slice(0, MOST_ERRORS);
  }

  /** Reason of the whole error or of its first field. */
  get firstFacts(): RefusalFacts | undefined {
    return this.facts ?? this.errors[0]?.facts;
  }

  /** Returns a copy with other field errors. */
  withErrors(errors: readonly FieldError[]): ServiceError {
    return new ServiceError(this.code, this.message, errors, this.retryAfter, this.facts);
  }

  /** Error of several fields. The message quotes the first ones. */
  static ofFields(code: ErrorCode, errors: readonly FieldError[]): ServiceError {
    const words = errors.slice(0, QUOTED_ERRORS).map(({ message }) => message);
    if (errors.length > QUOTED_ERRORS && errors.length <= MOST_ERRORS)
      words.push(`All ${errors.length} errors are listed.`);
    return new ServiceError(code, words.join(' '), errors);
  }

  /** Error of one field. Programs read `path`, people the message. */
  static ofField(
    code: ErrorCode,
    path: string,
    validator: FieldValidator,
    message: string,
    facts?: RefusalFacts,
  ): ServiceError {
    return new ServiceError(code, message, [{ path, message, validator, facts }]);
  }

  /** Error without a field. */
  static because(code: ErrorCode, facts: RefusalFacts, message: string): ServiceError {
    return new ServiceError(code, message, [], null, facts);
  }
}

/** A plugin does not answer. Fails the requests that need it. */
export class PluginUnavailable extends ServiceError {
  /** @param retryAfter in seconds */
  constructor(message: string, retryAfter: number | null = null) {
    super('unavailable', message, [], retryAfter);
  }
}

export class OverdueCall extends PluginUnavailable {}

/**
 * Parses a field of a request.
 * @param fault error class of `read` for invalid text
 * @param label name of the field in the message, by default its path
 * @throws ServiceError `invalid_object` for the field
 */
export function readField<T>(
  path: string,
  fault: abstract new (...parameters: never[]) => Error,
  read: () => T,
  label = path,
): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof fault)) throw error;
    throw ServiceError.ofField('invalid_object', path, 'format', `${label}: ${error.message}.`);
  }
}

/** Message for the operator: that of the cause, such as a database error, or of the error itself. */
export function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  // An error over several addresses of a host has a code but no message.
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
