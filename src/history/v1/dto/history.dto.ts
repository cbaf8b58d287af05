import { OptionalInstant, OptionalIntegerParameter, OptionalText, TextField } from '../../../http/bodies/dto-fields.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../http/openapi/decorators.js';
import { formatInstant } from '../../../common/clock.js';
import { LinksDto } from '../../../http/lists/paging.js';
import { DomainDto, LabeledSetStepDto, toDomainDto, toLabeledSetStep } from '../../../zones/v1/domain.mapper.js';
import { RecordDto, type RecordMapper } from '../../../records/v1/record.mapper.js';
import type { RecordSnapshot, ZoneSnapshot } from '../../../plugins/change-listener.js';
import type { HistoryEntry } from '../../history.service.js';

const ACTIONS = [
  'domain.create',
  'domain.update',
  'domain.delete',
  'domain.serial',
  'domain.regenerate',
  'domain.transfer',
  'record.create',
  'record.update',
  'record.delete',
] as const;

export class ActorDto {
  @ApiProperty({ example: 'acme', description: 'The tenant that asked.' })
  tenant_id!: string;

  @ApiNullableText({ example: '019aa5f4-9c1e-7a2c-8000-1b0c4de6f7a8' })
  token_id!: string | null;

  @ApiNullableText({ example: null, description: 'Where the credential names one.' })
  user!: string | null;
}

class DomainStepDto {
  @ApiProperty({ type: DomainDto, nullable: true })
  before!: DomainDto | null;

  @ApiProperty({ type: DomainDto, nullable: true })
  after!: DomainDto | null;
}

export class HistoryEntryDto {
  @ApiProperty({ type: 'integer', example: 4, description: 'Counts the entries of a domain from 1.' })
  number!: number;

  @ApiProperty({ type: 'integer', example: 1763627400, description: 'Of the domain, after the change.' })
  serial!: number;

  @ApiProperty({
    example: '019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70',
    description: 'The same for all entries of one change.',
  })
  change_id!: string;

  @ApiProperty({ enum: ACTIONS, example: 'record.update' })
  action!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  at!: string;

  @ApiProperty({ type: ActorDto })
  actor!: ActorDto;

  @ApiProperty({ example: 'req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11' })
  request_id!: string;

  @ApiNullableText({
    example: 'Move the web server',
    description: 'What was said of the change, in the first of its entries.',
  })
  message!: string | null;

  @ApiProperty({ type: RecordDto, nullable: true, description: '`null` where there was no record.' })
  before!: RecordDto | null;

  @ApiProperty({ type: RecordDto, nullable: true, description: '`null` where there is no record any more.' })
  after!: RecordDto | null;

  @ApiProperty({
    type: DomainStepDto,
    nullable: true,
    description: 'What the domain itself was and became; `null` in an entry of a record.',
  })
  domain!: DomainStepDto | null;

  @ApiPropertyOptional({
    type: LabeledSetStepDto,
    description: 'Only in an entry of new labels of a record set.',
  })
  record_set?: LabeledSetStepDto;
}

export class HistoryDto {
  @ApiProperty({ type: [HistoryEntryDto], description: 'Latest first.' })
  history!: HistoryEntryDto[];

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

export function toHistoryEntryDto(entry: HistoryEntry, form: RecordMapper): HistoryEntryDto {
  const { number, serial, changeId, action, at, tenantId, tokenId, userName, requestId, message } = entry;
  return {
    number,
    serial,
    change_id: changeId,
    action: action.replace(/^zone\./, 'domain.'),
    at: formatInstant(at),
    actor: { tenant_id: tenantId, token_id: tokenId, user: userName },
    request_id: requestId,
    message,
    ...snapshotsOf(entry, form),
  };
}

function snapshotsOf({ action, zoneId, before, after }: HistoryEntry, form: RecordMapper) {
  if (action.startsWith('record.')) {
    const shown = (record: RecordSnapshot | null) => (record === null ? null : form({ ...record, zoneId }));
    return {
      before: shown(before as RecordSnapshot | null),
      after: shown(after as RecordSnapshot | null),
      domain: null,
    };
  }
  const shown = (zone: ZoneSnapshot | null) => (zone === null ? null : toDomainDto(zone));
  const domain = { before: shown(before as ZoneSnapshot | null), after: shown(after as ZoneSnapshot | null) };
  const set = toLabeledSetStep(before as ZoneSnapshot | null, after as ZoneSnapshot | null);
  return { before: null, after: null, domain, ...set };
}

const MAX_LIMIT = 1000;
export const DEFAULT_LIMIT = 100;

/** Paging and filters of a history (behaviour 11.1). */
export class HistoryQueryDto {
  @OptionalIntegerParameter({
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `The highest number of entries, ${DEFAULT_LIMIT} by default; a page of long records has fewer.`,
  })
  limit?: number;

  @OptionalIntegerParameter({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of the last entry already seen.',
  })
  marker?: number;

  @OptionalText({ description: 'Owner name of the record, before or after, in any case.', example: 'www.example.org.' })
  name?: string;

  @OptionalText({ description: 'Type of the record.', example: 'A' })
  type?: string;

  @OptionalInstant({ description: 'Nothing from before this time, UTC.', example: '2026-11-20T08:30:00Z' })
  since?: string;
}

export class HistoryOfNameQueryDto extends HistoryQueryDto {
  @TextField({ description: 'The absolute name of the domain.', example: 'example.org.' })
  domain!: string;
}
