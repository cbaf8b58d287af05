import { PartialType } from '@nestjs/swagger';
import { CreateDomainDto } from './create-domain.dto.js';

/** Any subset; what is left out keeps its value, and only `description` may become null. */
export class UpdateDomainDto extends PartialType(CreateDomainDto, { skipNullProperties: false }) {}
