/** Every way in which the service refuses. The HTTP status of each stands in `http/error-status.ts`. */
export type ErrorCode =
  | 'invalid_object'
  | 'bad_request'
  | 'invalid_recordset_location'
  | 'invalid_ttl'
  | 'illegal_child'
  | 'illegal_parent'
  | 'domain_has_sub_domain'
  | 'access_denied'
  | 'domain_not_found'
  | 'record_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'unsupported_accept'
  | 'request_timeout'
  | 'duplicate_record'
  | 'duplicate_domain'
  | 'over_quota'
  | 'payload_too_large'
  | 'unsupported_content_type'
  | 'headers_too_large'
  | 'rate_limited'
  | 'unknown'
  | 'unavailable';

/** The JSON-Schema word for what a field got wrong. */
export type FieldValidator =
  'required' | 'type' | 'enum' | 'format' | 'maxLength' | 'minimum' | 'maximum' | 'additionalProperties';

/** One field at fault: `path` is the field, `''` the whole object, `quota.zones` inside a wrapper. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  readonly validator: FieldValidator;
}

/** A refusal in the words of the domain; the filters turn it into a status and a body. */
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
