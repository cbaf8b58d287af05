import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { LinksDto } from '../../../http/lists/page-links.dto.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import type { TenantChange } from '../../tenant-changes.service.js';
import { ChangeDto, ChangesPartDto, toChangeDto } from './changes.dto.js';

export class TenantChangesQueryDto extends ChangesPartDto {
  @ApiPropertyOptional({ description: 'As `links.next` has it.' })
  @MayBeAbsent()
  @IsText()
  marker?: string;
}

class ChangedDomainDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ example: 'example.org.', description: 'Of a domain that has been deleted, in lower case.' })
  name!: string;
}

class TenantChangeDto extends ChangeDto {
  @ApiProperty({ type: ChangedDomainDto })
  domain!: ChangedDomainDto;
}

export class TenantChangesDto {
  @ApiProperty({ type: [TenantChangeDto], description: 'Latest first.' })
  changes!: TenantChangeDto[];

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

/** @param tokens descriptions of tokens, by their ids */
export function toTenantChangeDto(
  { zone: { id, name }, ...change }: TenantChange,
  tokens: ReadonlyMap<string, string | null>,
): TenantChangeDto {
  return { domain: { id, name }, ...toChangeDto(change, tokens) };
}
