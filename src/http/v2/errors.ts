import { HttpStatus } from '@nestjs/common';
import type { ErrorCode } from '../../common/service-error.js';
import type { ErrorTableEntry } from '../errors/error-table.js';

const { BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT } = HttpStatus;

/** The statuses and types of version 2, as its original has them. */
export const V2_ERRORS = {
  invalid_object: { status: BAD_REQUEST, type: 'invalid_object' },
  change_not_allowed: { status: BAD_REQUEST, type: 'bad_request' },
  invalid_location: { status: BAD_REQUEST, type: 'invalid_recordset_location' },
  invalid_ttl: { status: BAD_REQUEST, type: 'invalid_ttl' },
  invalid_zone_name: { status: BAD_REQUEST, type: 'invalid_zone_name' },
  inside_foreign_zone: { status: FORBIDDEN, type: 'illegal_child' },
  contains_foreign_zone: { status: FORBIDDEN, type: 'illegal_parent' },
  // A zone over the project's own records; nobody else is concerned.
  covers_parent_records: { status: BAD_REQUEST, type: 'illegal_child' },
  zone_has_child_zones: { status: BAD_REQUEST, type: 'zone_has_sub_zone' },
  zone_is_shared: { status: BAD_REQUEST, type: 'zone_is_shared' },
  secondary_zone: { status: FORBIDDEN, type: 'forbidden' },
  access_denied: { status: HttpStatus.UNAUTHORIZED, type: 'access_denied' },
  forbidden: { status: FORBIDDEN, type: 'forbidden' },
  zone_not_found: { status: NOT_FOUND, type: 'zone_not_found' },
  record_not_found: { status: NOT_FOUND, type: 'record_not_found' },
  record_set_not_found: { status: NOT_FOUND, type: 'recordset_not_found' },
  serial_not_found: { status: NOT_FOUND, type: 'serial_not_found' },
  token_not_found: { status: NOT_FOUND, type: 'token_not_found' },
  webhook_not_found: { status: NOT_FOUND, type: 'webhook_not_found' },
  delivery_not_found: { status: NOT_FOUND, type: 'delivery_not_found' },
  events_gone: { status: HttpStatus.GONE, type: 'events_gone' },
  duplicate_record: { status: CONFLICT, type: 'duplicate_record' },
  duplicate_record_set: { status: CONFLICT, type: 'duplicate_recordset' },
  duplicate_zone: { status: CONFLICT, type: 'duplicate_zone' },
  over_quota: { status: HttpStatus.PAYLOAD_TOO_LARGE, type: 'over_quota' },
  file_too_large: { status: HttpStatus.PAYLOAD_TOO_LARGE, type: 'payload_too_large' },
  rate_limited: { status: HttpStatus.TOO_MANY_REQUESTS, type: 'rate_limited' },
  precondition_failed: { status: HttpStatus.PRECONDITION_FAILED, type: 'precondition_failed' },
  idempotency_key_reused: { status: HttpStatus.UNPROCESSABLE_ENTITY, type: 'idempotency_key_reused' },
  request_in_progress: { status: CONFLICT, type: 'request_in_progress' },
  unavailable: { status: HttpStatus.SERVICE_UNAVAILABLE, type: 'unavailable' },

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
  // The original keeps masters as attributes of a zone.
  duplicate_master: { status: CONFLICT, type: 'duplicate_zone_attribute' },
  duplicate_pool: { status: CONFLICT, type: 'duplicate_pool' },
  pool_not_found: { status: NOT_FOUND, type: 'pool_not_found', message: 'Could not find Pool' },
  service_status_not_found: { status: NOT_FOUND, type: 'service_status_not_found' },
  floating_ip_not_found: { status: NOT_FOUND, type: 'not_found' },
} satisfies Record<ErrorCode, ErrorTableEntry>;
