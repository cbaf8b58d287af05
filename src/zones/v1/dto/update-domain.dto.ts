import { PartialType } from '@nestjs/swagger';
import { CreateDomainDto } from './create-domain.dto.js';

/** Any of the fields. An absent field keeps its value; only `description` may be null (behaviour 7.1). */
export class UpdateDomainDto extends PartialType(CreateDomainDto, { skipNullProperties: false }) {}
