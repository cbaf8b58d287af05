import { HttpStatus } from '@nestjs/common';
import type { ErrorCode, FieldError } from '../../common/service-error.js';
import { type ErrorTableEntry, type Refusal, type RefusalStyle, SHARED_ERRORS } from '../errors/error-table.js';
import { STATUS_CODES } from 'node:http';

const { BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT } = HttpStatus;

/** Statuses and types of version 2, as in Designate. */
export const V2_ERRORS = {
  ...SHARED_ERRORS,
  invalid_zone_name: { status: BAD_REQUEST, type: 'invalid_zone_name' },
  inside_foreign_zone: { status: FORBIDDEN, type: 'illegal_child' },
  contains_foreign_zone: { status: FORBIDDEN, type: 'illegal_parent' },
  zone_has_child_zones: { status: BAD_REQUEST, type: 'zone_has_sub_zone' },
  zone_is_shared: { status: BAD_REQUEST, type: 'zone_is_shared' },
  secondary_zone: { status: FORBIDDEN, type: 'forbidden' },
  forbidden: { status: FORBIDDEN, type: 'forbidden' },
  zone_not_found: { status: NOT_FOUND, type: 'zone_not_found' },
  record_not_found: { status: NOT_FOUND, type: 'record_not_found' },
  record_set_not_found: { status: NOT_FOUND, type: 'recordset_not_found' },
  duplicate_record_set: { status: CONFLICT, type: 'duplicate_recordset' },
  duplicate_zone: { status: CONFLICT, type: 'duplicate_zone' },

  invalid_uuid: { status: BAD_REQUEST, type: 'invalid_uuid' },
  invalid_marker: { status: BAD_REQUEST, type: 'invalid_marker' },
  marker_not_found: { status: BAD_REQUEST, type: 'marker_not_found' },
  invalid_limit: { status: BAD_REQUEST, type: 'invalid_limit' },
  invalid_sort_key: { status: BAD_REQUEST, type: 'invalid_sort_key' },
  invalid_sort_dir: { status: BAD_REQUEST, type: 'invalid_sort_dir' },
  bad_filter: { status: BAD_REQUEST, type: 'bad_request' },

  zone_import_not_found: { status: NOT_FOUND, type: 'zone_import_not_found' },
  zone_export_not_found: { status: NOT_FOUND, type: 'zone_export_not_found' },
  transfer_request_not_found: { status: NOT_FOUND, type: 'zone_transfer_request_not_found' },
  duplicate_transfer_request: { status: CONFLICT, type: 'duplicate_zone_transfer_request' },
  invalid_transfer_request: { status: BAD_REQUEST, type: 'invalid_zone_transfer_request' },
  transfer_accept_not_found: { status: NOT_FOUND, type: 'zone_transfer_accept_not_found' },
  invalid_transfer_key: { status: FORBIDDEN, type: 'invalid_key' },
  share_not_found: { status: NOT_FOUND, type: 'shared_zone_not_found' },
  duplicate_share: { status: CONFLICT, type: 'duplicate_shared_zone' },
  shared_zone_has_record_sets: { status: BAD_REQUEST, type: 'shared_zone_has_recordsets' },

  tld_not_found: { status: NOT_FOUND, type: 'tld_not_found', message: 'Could not find Tld' },
  duplicate_tld: { status: CONFLICT, type: 'duplicate_tld' },
  blacklist_not_found: { status: NOT_FOUND, type: 'blacklist_not_found', message: 'Could not find Blacklist' },
  duplicate_blacklist: { status: CONFLICT, type: 'duplicate_blacklist' },
  tsig_key_not_found: { status: NOT_FOUND, type: 'tsigkey_not_found', message: 'Could not find TsigKey' },
  duplicate_tsig_key: { status: CONFLICT, type: 'duplicate_tsigkey' },
  // Designate stores masters as zone attributes.
  duplicate_master: { status: CONFLICT, type: 'duplicate_zone_attribute' },
  duplicate_pool: { status: CONFLICT, type: 'duplicate_pool' },
  pool_not_found: { status: NOT_FOUND, type: 'pool_not_found', message: 'Could not find Pool' },
  service_status_not_found: { status: NOT_FOUND, type: 'service_status_not_found' },
  floating_ip_not_found: { status: NOT_FOUND, type: 'not_found' },
} satisfies Record<ErrorCode, ErrorTableEntry>;

/** In version 2, `errors` is an object with a list, and each `path` a list of names and indexes. */
export const V2_REFUSALS: RefusalStyle = { table: V2_ERRORS, bodyOf };

function bodyOf({ status, type, message, errors }: Refusal, requestId: string): object {
  return {
    code: status,
    type,
    message,
    ...(errors.length > 0 ? { errors: { errors: errors.map(fieldOf) } } : {}),
    request_id: requestId,
    // keystoneauth reads the 401 body of Designate's middleware.
    ...(status === 401 ? { error: { code: status, title: STATUS_CODES[status], message } } : {}),
  };
}

function fieldOf({ path, message, validator }: FieldError): object {
  return { path: stepsOf(path), message, validator };
}

const STEP = /\[(?<index>\d+)\]|(?<name>[^.[]+|\[)/g;

/** `records[0]` becomes `['records', 0]`, and `''` (the whole object) becomes `[]`. */
function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(STEP)].map(({ groups }) =>
    groups?.index === undefined ? (groups?.name ?? '') : Number(groups.index),
  );
}
