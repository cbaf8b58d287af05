/** Every way in which the core refuses. Each interface has a table of its own from these codes to its statuses and words. */
export type ErrorCode =
  | 'invalid_object'
  | 'change_not_allowed'
  | 'invalid_location'
  | 'invalid_ttl'
  | 'inside_foreign_zone'
  | 'contains_foreign_zone'
  | 'zone_has_child_zones'
  | 'access_denied'
  | 'zone_not_found'
  | 'record_not_found'
  | 'duplicate_record'
  | 'duplicate_zone'
  | 'over_quota'
  | 'file_too_large'
  | 'unavailable';

/** The JSON-Schema word for what is wrong with a field. */
export type FieldValidator =
  'required' | 'type' | 'enum' | 'format' | 'maxLength' | 'minimum' | 'maximum' | 'additionalProperties';

/** One field that is wrong: `path` is the field, `''` the whole object, `quota.zones` inside a wrapper. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly validator: FieldValidator;
}

/** A refusal by the core; it knows nothing of HTTP. */
export class ServiceError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly errors: readonly FieldError[] = [],
  ) {
    super(message);
    this.name = 'ServiceError';
  }

  /** The refusal of one field, said once for the reader and once for the program. */
  static ofField(code: ErrorCode, path: string, validator: FieldValidator, message: string): ServiceError {
    return new ServiceError(code, message, [{ path, message, validator }]);
  }
}
