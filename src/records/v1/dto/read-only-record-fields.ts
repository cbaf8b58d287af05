import { IsInt, IsOptional, IsUUID } from '../../../http/bodies/class-validator.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { ReadOnlyFields } from '../../../zones/v1/read-only-fields.mapper.js';

/** The same fields of a record. */
export class ReadOnlyRecordFields extends ReadOnlyFields {
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @IsUUID()
  domain_id?: string | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @IsInt()
  version?: number | null;
}
