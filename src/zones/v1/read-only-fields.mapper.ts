import { ApiPropertyOptional } from '../../http/openapi/decorators.js';
import { IsOptional, IsString, IsUUID, MaxLength } from '../../http/bodies/class-validator.js';

const TIMESTAMP_LENGTH = 64;

/** Fields of an answer that a client may send back: their shape is checked, their values are ignored (behaviour 4.1). */
export class ReadOnlyFields {
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @IsUUID()
  id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @MaxLength(TIMESTAMP_LENGTH)
  @IsString()
  created_at?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @MaxLength(TIMESTAMP_LENGTH)
  @IsString()
  updated_at?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @IsString()
  tenant_id?: string | null;
}
