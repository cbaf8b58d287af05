import { ApiProperty } from '../../../http/openapi/decorators.js';
import { PageLinksDto } from '../../../http/lists/page-links.dto.js';
import { DomainDto } from '../domain.form.js';

export class DomainListDto extends PageLinksDto {
  @ApiProperty({ type: [DomainDto] })
  domains!: DomainDto[];
}
