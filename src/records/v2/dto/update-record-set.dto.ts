import { PartialType } from '../../../http/openapi/partial-type.js';
import { CreateRecordSetDto } from './create-record-set.dto.js';

/** Any of the fields. What is absent stays; name and type cannot become others. */
export class UpdateRecordSetDto extends PartialType(CreateRecordSetDto) {}
