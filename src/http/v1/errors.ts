import { HttpStatus } from '@nestjs/common';
import type { SharedErrorCode } from '../../common/service-error.js';
import { errorBody } from '../errors/error-body.js';
import type { ErrorTableEntry, RefusalStyle } from '../errors/error-table.js';

/** The statuses and types of version 1 (behaviour 2.3), in which a zone is called a domain. */
export const V1_ERRORS = {
  invalid_object: { status: HttpStatus.BAD_REQUEST, type: 'invalid_object' },
  change_not_allowed: { status: HttpStatus.BAD_REQUEST, type: 'bad_request' },
  invalid_location: { status: HttpStatus.BAD_REQUEST, type: 'invalid_recordset_location' },
  invalid_ttl: { status: HttpStatus.BAD_REQUEST, type: 'invalid_ttl' },
  invalid_zone_name: { status: HttpStatus.BAD_REQUEST, type: 'invalid_object' },
  inside_foreign_zone: {
    status: HttpStatus.BAD_REQUEST,
    type: 'illegal_child',
    message: 'The name lies inside a domain of another tenant.',
  },
  contains_foreign_zone: { status: HttpStatus.BAD_REQUEST, type: 'illegal_parent' },
  covers_parent_records: { status: HttpStatus.BAD_REQUEST, type: 'illegal_child' },
  zone_has_child_zones: {
    status: HttpStatus.BAD_REQUEST,
    type: 'domain_has_sub_domain',
    message: 'Delete the domains inside this one first.',
  },
  zone_is_shared: {
    status: HttpStatus.BAD_REQUEST,
    type: 'bad_request',
    message: 'The domain is shared with other tenants; end the shares first.',
  },
  secondary_zone: {
    status: HttpStatus.BAD_REQUEST,
    type: 'bad_request',
    message: 'The records of this domain come from its masters; change them there.',
  },
  access_denied: { status: HttpStatus.UNAUTHORIZED, type: 'access_denied' },
  // Behaviour 3.1: the contract does not have 403.
  forbidden: { status: HttpStatus.UNAUTHORIZED, type: 'access_denied' },
  zone_not_found: {
    status: HttpStatus.NOT_FOUND,
    type: 'domain_not_found',
    message: 'There is no such domain; list yours with GET /v1/domains.',
  },
  record_not_found: {
    status: HttpStatus.NOT_FOUND,
    type: 'record_not_found',
    message: 'There is no such record in this domain; list its records.',
  },
  serial_not_found: { status: HttpStatus.NOT_FOUND, type: 'serial_not_found' },
  token_not_found: { status: HttpStatus.NOT_FOUND, type: 'token_not_found' },
  webhook_not_found: { status: HttpStatus.NOT_FOUND, type: 'webhook_not_found' },
  delivery_not_found: { status: HttpStatus.NOT_FOUND, type: 'delivery_not_found' },
  update_key_not_found: { status: HttpStatus.NOT_FOUND, type: 'update_key_not_found' },
  duplicate_update_key: { status: HttpStatus.CONFLICT, type: 'duplicate_update_key' },
  events_gone: { status: HttpStatus.GONE, type: 'events_gone' },
  signing_conflict: { status: HttpStatus.CONFLICT, type: 'dnssec_conflict' },
  duplicate_record: { status: HttpStatus.CONFLICT, type: 'duplicate_record' },
  duplicate_zone: {
    status: HttpStatus.CONFLICT,
    type: 'duplicate_domain',
    message: 'A domain of this name exists already.',
  },
  over_quota: { status: HttpStatus.PAYLOAD_TOO_LARGE, type: 'over_quota' },
  file_too_large: { status: HttpStatus.PAYLOAD_TOO_LARGE, type: 'payload_too_large' },
  rate_limited: { status: HttpStatus.TOO_MANY_REQUESTS, type: 'rate_limited' },
  precondition_failed: { status: HttpStatus.PRECONDITION_FAILED, type: 'precondition_failed' },
  idempotency_key_reused: { status: HttpStatus.UNPROCESSABLE_ENTITY, type: 'idempotency_key_reused' },
  request_in_progress: { status: HttpStatus.CONFLICT, type: 'request_in_progress' },
  unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, type: 'unavailable' },
} satisfies Record<SharedErrorCode, ErrorTableEntry>;

export const V1_REFUSALS: RefusalStyle = { table: V1_ERRORS, bodyOf: errorBody };
