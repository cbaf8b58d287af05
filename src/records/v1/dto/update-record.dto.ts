import { PartialType } from '@nestjs/swagger';
import { CreateRecordDto } from './create-record.dto.js';

/** Any subset; what is left out keeps its value, null clears what may be null (behaviour 6.2). */
export class UpdateRecordDto extends PartialType(CreateRecordDto, { skipNullProperties: false }) {}
