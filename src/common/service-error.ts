import type { RefusalFacts } from './refusal-facts.js';

/** Every way in which the core refuses. Each interface has a table of its own from these codes to its statuses and words. */
export type ErrorCode = SharedErrorCode | RareErrorCode;

/** Refusals that every interface can meet. */
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
  // The credential does not say who the caller is.
  | 'access_denied'
  // The caller is known and may not do this.
  | 'forbidden'
  | 'zone_not_found'
  | 'record_not_found'
  | 'serial_not_found'
  | 'token_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'update_key_not_found'
  | 'duplicate_update_key'
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

/** Refusals that only an interface with ids of record sets, filtered lists, tasks or administration can meet. */
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

/** The JSON-Schema word for what is wrong with a field. */
export type FieldValidator =
  'required' | 'type' | 'enum' | 'format' | 'maxLength' | 'minimum' | 'maximum' | 'additionalProperties';

/** One field that is wrong: `path` is the field, `''` the whole object, `quota.zones` inside a wrapper. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly validator: FieldValidator;
  /** Why, where that is more than the validator says. */
  readonly facts?: RefusalFacts | undefined;
}

/** So many are listed (behaviour 2.1): who sends many mistakes must not be sent a multiple of them. */
export const MOST_ERRORS = 100;
/** A message has so many of the errors' own words. */
const QUOTED_ERRORS = 3;

/** A refusal by the core; it knows nothing of HTTP. */
export class ServiceError extends Error {
  /** At most `MOST_ERRORS`; the message says where there are more. */
  readonly errors: readonly FieldError[];

  constructor(
    readonly code: ErrorCode,
    message: string,
    errors: readonly FieldError[] = [],
    /** Seconds after which the refusal ends, where that is known. */
    readonly retryAfter: number | null = null,
    /** Why, where that is more than the code says, and no single field has it. */
    readonly facts?: RefusalFacts,
  ) {
    super(errors.length > MOST_ERRORS ? `${message} Only the first ${MOST_ERRORS} errors are listed.` : message);
    this.name = 'ServiceError';
    this.errors = errors.slice(0, MOST_ERRORS);
  }

  /** Why, of the whole or of its first field. */
  get firstFacts(): RefusalFacts | undefined {
    return this.facts ?? this.errors[0]?.facts;
  }

  /** The same refusal, with other words for its fields. */
  withErrors(errors: readonly FieldError[]): ServiceError {
    return new ServiceError(this.code, this.message, errors, this.retryAfter, this.facts);
  }

  /** The refusal of several fields at once, in the words of the first of them. */
  static ofFields(code: ErrorCode, errors: readonly FieldError[]): ServiceError {
    const words = errors.slice(0, QUOTED_ERRORS).map(({ message }) => message);
    if (errors.length > QUOTED_ERRORS && errors.length <= MOST_ERRORS)
      words.push(`All ${errors.length} errors are listed.`);
    return new ServiceError(code, words.join(' '), errors);
  }

  /** The refusal of one field, said once for the reader and once for the program. */
  static ofField(
    code: ErrorCode,
    path: string,
    validator: FieldValidator,
    message: string,
    facts?: RefusalFacts,
  ): ServiceError {
    return new ServiceError(code, message, [{ path, message, validator, facts }]);
  }

  /** The refusal of no field in particular. */
  static because(code: ErrorCode, facts: RefusalFacts, message: string): ServiceError {
    return new ServiceError(code, message, [], null, facts);
  }
}
