import { HttpStatus } from '@nestjs/common';

/** RFC 6585 §5; missing in Nest's HttpStatus. */
const REQUEST_HEADER_FIELDS_TOO_LARGE = 431;

/** Statuses of errors of the request itself (behaviour 2.3). */
export const HTTP_ERROR_STATUS = {
  bad_request: HttpStatus.BAD_REQUEST,
  empty_request_body: HttpStatus.BAD_REQUEST,
  invalid_json: HttpStatus.BAD_REQUEST,
  not_found: HttpStatus.NOT_FOUND,
  method_not_allowed: HttpStatus.METHOD_NOT_ALLOWED,
  unsupported_accept: HttpStatus.NOT_ACCEPTABLE,
  request_timeout: HttpStatus.REQUEST_TIMEOUT,
  payload_too_large: HttpStatus.PAYLOAD_TOO_LARGE,
  unsupported_content_type: HttpStatus.UNSUPPORTED_MEDIA_TYPE,
  headers_too_large: REQUEST_HEADER_FIELDS_TOO_LARGE,
  unknown: HttpStatus.INTERNAL_SERVER_ERROR,
} as const;

export type HttpErrorCode = keyof typeof HTTP_ERROR_STATUS;

export class HttpError extends Error {
  constructor(
    readonly code: HttpErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'HttpError';
  }
}
