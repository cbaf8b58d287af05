import { HttpStatus } from '@nestjs/common';
import type { ErrorCode } from '../service-error.js';

/** RFC 6585 §5; Nest's list lacks it. */
const REQUEST_HEADER_FIELDS_TOO_LARGE = 431;

/** The one table from refusal to HTTP status (behaviour 2.3); `satisfies` asks for a line whenever a code is added. */
export const ERROR_STATUS = {
  invalid_object: HttpStatus.BAD_REQUEST,
  bad_request: HttpStatus.BAD_REQUEST,
  invalid_recordset_location: HttpStatus.BAD_REQUEST,
  invalid_ttl: HttpStatus.BAD_REQUEST,
  illegal_child: HttpStatus.BAD_REQUEST,
  illegal_parent: HttpStatus.BAD_REQUEST,
  domain_has_sub_domain: HttpStatus.BAD_REQUEST,
  access_denied: HttpStatus.UNAUTHORIZED,
  domain_not_found: HttpStatus.NOT_FOUND,
  record_not_found: HttpStatus.NOT_FOUND,
  not_found: HttpStatus.NOT_FOUND,
  method_not_allowed: HttpStatus.METHOD_NOT_ALLOWED,
  unsupported_accept: HttpStatus.NOT_ACCEPTABLE,
  request_timeout: HttpStatus.REQUEST_TIMEOUT,
  duplicate_record: HttpStatus.CONFLICT,
  duplicate_domain: HttpStatus.CONFLICT,
  over_quota: HttpStatus.PAYLOAD_TOO_LARGE,
  payload_too_large: HttpStatus.PAYLOAD_TOO_LARGE,
  unsupported_content_type: HttpStatus.UNSUPPORTED_MEDIA_TYPE,
  headers_too_large: REQUEST_HEADER_FIELDS_TOO_LARGE,
  rate_limited: HttpStatus.TOO_MANY_REQUESTS,
  unknown: HttpStatus.INTERNAL_SERVER_ERROR,
  unavailable: HttpStatus.SERVICE_UNAVAILABLE,
} satisfies Record<ErrorCode, number>;
