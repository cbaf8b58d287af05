import { IsOptional } from 'class-validator';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { PartialType } from '../../../http/openapi/partial-type.js';
import { ANY_TTL, IsTtl } from '../../../http/v1/ttl.js';
import { CreateRecordDto } from './create-record.dto.js';

/** Any of the fields. An absent field keeps its value; null clears a field that may be null (behaviour 6.2). */
export class UpdateRecordDto extends PartialType(CreateRecordDto) {
  @ApiPropertyOptional({
    ...ANY_TTL,
    nullable: true,
    description: 'Seconds; null: the ttl of the domain; 0 where the record has that already.',
  })
  @IsOptional()
  @IsTtl()
  override ttl?: number | null;
}
