import { PartialType } from '../../../http/openapi/partial-type.js';
import { KeptTtl } from './kept-ttl.decorator.js';
import { CreateRecordDto } from './create-record.dto.js';

/** Any of the fields. An absent field keeps its value; null clears a field that may be null (behaviour 6.2). */
export class UpdateRecordDto extends PartialType(CreateRecordDto) {
  @KeptTtl()
  override ttl?: number | null;
}
