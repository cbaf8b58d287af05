import {
  OptionalChoice,
  OptionalInstant,
  OptionalIntegerParameter,
  OptionalText,
} from '../../../../http/bodies/dto-fields.js';
import { formatInstant } from '../../../../common/clock.js';
import { LinksDto } from '../../../../http/lists/paging.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../../http/openapi/decorators.js';
import { formatCursor } from '../../../../zones/journal/time-cursor.js';
import { type AuditEntry, SHOWN_ACTIONS, shownAction, SHOWN_KINDS } from '../../audit-entry.js';
import { IsUUID } from '../../../../http/bodies/class-validator.js';
import { IsTenantId } from '../../../../auth/tenant-id.pipe.js';
import { CanonicalUuid, MayBeAbsent } from '../../../../http/bodies/field-decorators.js';

class AuditActorDto {
  @ApiProperty({ example: 'acme', description: 'The tenant that asked.' })
  tenant_id!: string;

  @ApiNullableText({ example: '019aa5f4-9c1e-7a2c-8000-1b0c4de6f7a8' })
  token_id!: string | null;

  @ApiNullableText({ example: 'deploy', description: 'Of the token, as long as the service knows it.' })
  token_description!: string | null;

  @ApiNullableText({ example: null, description: 'Where the credential names one.' })
  user!: string | null;

  @ApiNullableText({ example: '192.0.2.1', description: 'Of the client.' })
  address!: string | null;
}

class AuditedDomainDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiNullableText({ example: 'example.org.', description: '`null` where it is not known.' })
  name!: string | null;
}

class AuditedRecordDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'www.example.org.', description: 'After the change.' })
  name!: string;

  @ApiProperty({ example: 'A' })
  type!: string;
}

class AuditedSubjectDto {
  @ApiProperty({ example: '019aa5f4-9c1e-7a2c-8000-1b0c4de6f7a8', description: 'Of a quota: the tenant.' })
  id!: string;

  @ApiNullableText({ description: 'Of a token: its description.' })
  name!: string | null;
}

class AuditedChangeDto {
  @ApiProperty({
    example: '019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70',
    description: 'The same for all steps of one change.',
  })
  id!: string;

  @ApiProperty({ type: 'integer', example: 1763627400, description: 'Of the domain, after the change.' })
  serial!: number;

  @ApiProperty({ type: 'integer', example: 4, description: "Of the entry in the domain's history." })
  number!: number;
}

export class AuditEntryDto {
  @ApiProperty({ example: '1763627400123456.019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4.4' })
  id!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  at!: string;

  @ApiProperty({ enum: SHOWN_ACTIONS, example: 'record.update' })
  action!: string;

  @ApiProperty({ type: AuditActorDto })
  actor!: AuditActorDto;

  @ApiProperty({ example: 'req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11' })
  request_id!: string;

  @ApiNullableText({ example: 'acme', description: 'Owner of the resource; `null`: no tenant.' })
  tenant_id!: string | null;

  @ApiProperty({ type: AuditedDomainDto, nullable: true, description: '`null` where no domain is concerned.' })
  domain!: AuditedDomainDto | null;

  @ApiProperty({ type: AuditedRecordDto, nullable: true, description: '`null` where no record is concerned.' })
  record!: AuditedRecordDto | null;

  @ApiProperty({ type: AuditedSubjectDto, nullable: true, description: 'Whatever is neither domain nor record.' })
  subject!: AuditedSubjectDto | null;

  @ApiProperty({ type: AuditedChangeDto, nullable: true, description: 'Of a domain and its records.' })
  change!: AuditedChangeDto | null;

  @ApiProperty({
    type: Object,
    nullable: true,
    example: null,
    description: 'What was said of the subject, never a secret.',
  })
  details!: Readonly<Record<string, unknown>> | null;
}

export class AuditDto {
  @ApiProperty({ type: [AuditEntryDto], description: 'Latest first.' })
  audit!: AuditEntryDto[];

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

export function toAuditEntryDto(entry: AuditEntry): AuditEntryDto {
  const { at, action, ownerId, tenantId, tokenId, userName, requestId, zoneId, zoneName, details } = entry;
  const { tokenDescription, address } = entry;
  return {
    id: formatCursor(entry),
    at: formatInstant(at),
    action: shownAction(action),
    actor: {
      ...{ tenant_id: tenantId, token_id: tokenId, token_description: tokenDescription },
      ...{ user: userName, address },
    },
    request_id: requestId,
    tenant_id: ownerId,
    domain: zoneId === null ? null : { id: zoneId, name: zoneName },
    record: recordOf(entry),
    subject: subjectOf(entry),
    change: changeOf(entry),
    details: details === null ? null : (JSON.parse(details) as Readonly<Record<string, unknown>>),
  };
}

function recordOf({ recordId, recordName, recordType }: AuditEntry): AuditedRecordDto | null {
  return recordId === null ? null : { id: recordId, name: recordName ?? '', type: recordType ?? '' };
}

function subjectOf({ subjectId, subjectName }: AuditEntry): AuditedSubjectDto | null {
  return subjectId === null ? null : { id: subjectId, name: subjectName };
}

function changeOf({ changeId, serial, number }: AuditEntry): AuditedChangeDto | null {
  return changeId === null || serial === null ? null : { id: changeId, serial, number };
}

const MAX_LIMIT = 1000;
export const DEFAULT_LIMIT = 100;
const FORMATS = ['json', 'jsonl'] as const;
const ACTIONS = [...SHOWN_KINDS, ...SHOWN_ACTIONS];

/** Paging and filters of the audit (behaviour 14.6). */
export class AuditQueryDto {
  @OptionalIntegerParameter({
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `The highest number of entries: ${DEFAULT_LIMIT} by default, all as JSON lines. A page may have fewer.`,
  })
  limit?: number;

  @OptionalText({ description: 'The id of the last entry already seen.' })
  marker?: string;

  @ApiPropertyOptional({ description: 'The tenant that asked, or whose it is.', maxLength: 255, example: 'acme' })
  @MayBeAbsent()
  @IsTenantId()
  tenant_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The token that was shown.' })
  @MayBeAbsent()
  @IsUUID()
  @CanonicalUuid()
  token_id?: string;

  @OptionalText({ description: 'The user that the credential names.', maxLength: 255, example: 'operator' })
  user?: string;

  @OptionalText({ description: 'Of the client, as it is shown.', maxLength: 64, example: '192.0.2.1' })
  address?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The domain; it may be deleted.' })
  @MayBeAbsent()
  @IsUUID()
  @CanonicalUuid()
  domain_id?: string;

  @OptionalText({ description: 'The name of the domain, in any case.', example: 'example.org.' })
  domain?: string;

  @OptionalChoice({ enum: ACTIONS, description: 'An action, or the type of its target.', example: 'token' })
  action?: string;

  @OptionalInstant({ description: 'Nothing from before this time, UTC.', example: '2026-11-20T08:30:00Z' })
  since?: string;

  @OptionalInstant({ description: 'Nothing from this time on, UTC.', example: '2026-11-21T08:30:00Z' })
  until?: string;

  @OptionalChoice({ enum: FORMATS, description: '`jsonl`: one entry a line, as does `Accept: application/jsonl`.' })
  format?: (typeof FORMATS)[number];
}
