import { HttpStatus } from '@nestjs/common';
import type { SharedErrorCode } from '../../common/service-error.js';
import { errorBody, type ErrorTableEntry, type RefusalStyle, SHARED_ERRORS } from '../errors/error-table.js';

const { BAD_REQUEST, UNAUTHORIZED, NOT_FOUND, CONFLICT } = HttpStatus;

/** Statuses and types of version 1 (behaviour 2.3), which calls a zone a domain. */
export const V1_ERRORS = {
  ...SHARED_ERRORS,
  invalid_zone_name: { status: BAD_REQUEST, type: 'invalid_object' },
  inside_foreign_zone: {
    status: BAD_REQUEST,
    type: 'illegal_child',
    message: 'The name lies inside a domain of another tenant.',
  },
  contains_foreign_zone: { status: BAD_REQUEST, type: 'illegal_parent' },
  zone_has_child_zones: {
    status: BAD_REQUEST,
    type: 'domain_has_sub_domain',
    message: 'Delete the domains inside this one first.',
  },
  zone_is_shared: {
    status: BAD_REQUEST,
    type: 'bad_request',
    message: 'The domain is shared with other tenants; end the shares first.',
  },
  secondary_zone: {
    status: BAD_REQUEST,
    type: 'bad_request',
    message: 'The records of this domain come from its masters; change them there.',
  },
  // Behaviour 3.1: the contract does not have 403.
  forbidden: { status: UNAUTHORIZED, type: 'access_denied' },
  zone_not_found: {
    status: NOT_FOUND,
    type: 'domain_not_found',
    message: 'There is no such domain; list yours with GET /v1/domains.',
  },
  record_not_found: {
    status: NOT_FOUND,
    type: 'record_not_found',
    message: 'There is no such record in this domain; list its records.',
  },
  duplicate_zone: { status: CONFLICT, type: 'duplicate_domain', message: 'A domain of this name exists already.' },
} satisfies Record<SharedErrorCode, ErrorTableEntry>;

export const V1_REFUSALS: RefusalStyle = { table: V1_ERRORS, bodyOf: errorBody };
