import { ApiProperty } from '../../../http/openapi/decorators.js';
import type { Quota } from '../../quota.js';

/** Longest name of a zone or a record set, in octets (RFC 1035 §3.1). */
const MAX_NAME_LENGTH = 255;
/** Entries on a page of a list. */
const MAX_PAGE_LIMIT = 1000;

/** What limits a project. */
export class LimitsDto {
  @ApiProperty({ type: 'integer', example: 10, description: '-1: no limit, as of all quotas.' })
  max_zones!: number;

  @ApiProperty({ type: 'integer', example: 500 })
  max_zone_recordsets!: number;

  @ApiProperty({ type: 'integer', example: 500 })
  max_zone_records!: number;

  @ApiProperty({ type: 'integer', example: 20 })
  max_recordset_records!: number;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'Seconds; for everybody but admins.' })
  min_ttl!: number | null;

  @ApiProperty({ type: 'integer', example: MAX_NAME_LENGTH })
  max_zone_name_length!: number;

  @ApiProperty({ type: 'integer', example: MAX_NAME_LENGTH })
  max_recordset_name_length!: number;

  @ApiProperty({ type: 'integer', example: MAX_PAGE_LIMIT })
  max_page_limit!: number;
}

export function toLimitsDto(quota: Quota, minTtl: number | null): LimitsDto {
  return {
    max_zones: quota.zones,
    max_zone_recordsets: quota.zoneRecordsets,
    max_zone_records: quota.zoneRecords,
    max_recordset_records: quota.recordsetRecords,
    min_ttl: minTtl,
    max_zone_name_length: MAX_NAME_LENGTH,
    max_recordset_name_length: MAX_NAME_LENGTH,
    max_page_limit: MAX_PAGE_LIMIT,
  };
}
