import { OptionalInstant, OptionalIntegerParameter, OptionalText } from '../../../http/bodies/dto-fields.js';
import { ApiProperty, ApiNullableText } from '../../../http/openapi/decorators.js';
import { formatInstant } from '../../../common/clock.js';
import { LinksDto } from '../../../http/lists/paging.js';
import type { ChangeSummary } from '../../change-summaries.js';
import { ActorDto } from './history.dto.js';
import type { TenantChangeSummary } from '../../tenant-changes.service.js';

const MAX_LIMIT = 200;
export const DEFAULT_CHANGES = 50;

/** Filters of a change list, without the marker. */
class ChangesPartDto {
  @OptionalIntegerParameter({
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `The highest number of changes, ${DEFAULT_CHANGES} by default; a page of large changes has fewer.`,
  })
  limit?: number;

  @OptionalInstant({ description: 'Nothing from before this time, UTC.', example: '2026-11-20T08:30:00Z' })
  since?: string;
}

export class ChangesQueryDto extends ChangesPartDto {
  @OptionalIntegerParameter({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The `first` of the last change already seen.',
  })
  marker?: number;
}

class ChangeActorDto extends ActorDto {
  @ApiNullableText({ example: 'deploy', description: 'The description of the token, where it is one of the tenant.' })
  token_description!: string | null;
}

class ChangeCountsDto {
  @ApiProperty({ type: 'integer', example: 2 })
  created!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  updated!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  deleted!: number;
}

/** One change of a domain (behaviour 11.5). */
class ChangeDto {
  @ApiProperty({ example: '019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70', description: 'What a revert undoes it by.' })
  change_id!: string;

  @ApiProperty({ type: 'integer', example: 1763627400, description: 'Of the domain, after the change.' })
  serial!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 1763627000,
    description:
      'Of the domain before it: the diff between the two shows the change. Null where nothing older is kept.',
  })
  serial_before!: number | null;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  at!: string;

  @ApiProperty({ type: ChangeActorDto })
  actor!: ChangeActorDto;

  @ApiProperty({ example: 'req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11' })
  request_id!: string;

  @ApiNullableText({ example: 'Move the web server', description: 'Message of the change.' })
  message!: string | null;

  @ApiProperty({ type: ChangeCountsDto })
  records!: ChangeCountsDto;

  @ApiProperty({ type: [String], example: [], description: 'What happened to the domain itself: `domain.update`, …' })
  domain_actions!: readonly string[];

  @ApiProperty({ type: 'integer', example: 3, description: 'The number of its first entry in the history.' })
  first!: number;

  @ApiProperty({ type: 'integer', example: 5, description: 'The number of its last entry.' })
  last!: number;
}

export class ChangesDto {
  @ApiProperty({ type: [ChangeDto], description: 'Latest first.' })
  changes!: ChangeDto[];

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

export function toChangeDto(change: ChangeSummary, tokens: ReadonlyMap<string, string | null>): ChangeDto {
  const { tenantId, tokenId, userName, created, updated, deleted } = change;
  return {
    change_id: change.changeId,
    serial: change.serial,
    serial_before: change.serialBefore,
    at: formatInstant(change.at),
    actor: {
      ...{ tenant_id: tenantId, token_id: tokenId, user: userName },
      token_description: tokenId === null ? null : (tokens.get(tokenId) ?? null),
    },
    request_id: change.requestId,
    message: change.message,
    records: { created, updated, deleted },
    domain_actions: change.zoneActions.map((action) => action.replace(/^zone\./, 'domain.')),
    ...{ first: change.first, last: change.last },
  };
}

export class TenantChangesQueryDto extends ChangesPartDto {
  @OptionalText({ description: 'As `links.next` has it.' })
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

export function toTenantChangeDto(
  { zone: { id, name }, ...change }: TenantChangeSummary,
  tokens: ReadonlyMap<string, string | null>,
): TenantChangeDto {
  return { domain: { id, name }, ...toChangeDto(change, tokens) };
}
