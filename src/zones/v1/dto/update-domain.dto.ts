import { PartialType } from '../../../http/openapi/partial-type.js';
import { CreateDomainDto } from './create-domain.dto.js';

/** Any of the fields. An absent field keeps its value; only `description` may be null (behaviour 7.1). */
export class UpdateDomainDto extends PartialType(CreateDomainDto) {}
