import { ApiExtraModels, ApiNullableText, ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import { DomainDto } from '../../zones/v1/domain.mapper.js';
import { RecordDto } from '../../records/v1/record.mapper.js';
import { CHANGE_ACTIONS, EVENT_TYPES } from './change-event.mapper.js';

const SNAPSHOT = {
  nullable: true,
  oneOf: [{ $ref: `#/components/schemas/${RecordDto.name}` }, { $ref: `#/components/schemas/${DomainDto.name}` }],
};

class EventDomainDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ example: 'example.org.' })
  name!: string;
}

class EventActorDto {
  @ApiProperty({ example: 'acme' })
  tenant_id!: string;
}

@ApiExtraModels(RecordDto, DomainDto)
class EventDataDto {
  @ApiProperty({ type: EventDomainDto })
  domain!: EventDomainDto;

  @ApiProperty({ type: 'integer', example: 4, description: 'Of the entry in the history of the domain.' })
  number!: number;

  @ApiProperty({ type: 'integer', example: 1763627400 })
  serial!: number;

  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70' })
  change_id!: string;

  @ApiProperty({ enum: CHANGE_ACTIONS, example: 'record.create' })
  action!: string;

  @ApiProperty({ type: EventActorDto })
  actor!: EventActorDto;

  @ApiProperty({ example: 'req-1f6b4d3c-6a55-4f6e-9c55-0c5e3a0e9a11' })
  request_id!: string;

  @ApiProperty({ ...SNAPSHOT, description: 'The record or the domain; `null` where there was none.' })
  before!: RecordDto | DomainDto | null;

  @ApiProperty({ ...SNAPSHOT, description: 'The record or the domain; `null` where there is none any more.' })
  after!: RecordDto | DomainDto | null;
}

class PublicationEventDataDto {
  @ApiProperty({ type: EventDomainDto })
  domain!: EventDomainDto;

  @ApiProperty({
    type: 'integer',
    example: 4,
    description: 'Of an entry in the history of the domain: the last that has arrived, or that lags.',
  })
  number!: number;

  @ApiProperty({ type: 'integer', example: 1763627400, description: 'Of the domain after that entry.' })
  serial!: number;

  @ApiProperty({
    example: '2026-11-20T08:30:00.123456',
    description: 'When the change was made; of a domain that lags, the first that has not arrived.',
  })
  changed_at!: string;

  @ApiProperty({ type: [String], example: ['192.0.2.53:53'], description: 'The name servers that lack the change.' })
  servers!: string[];
}

class AliasEventDataDto {
  @ApiProperty({ type: EventDomainDto })
  domain!: EventDomainDto;

  @ApiProperty({ example: 'lb.example.net.' })
  target!: string;

  @ApiProperty({ enum: ['missing', 'failing', 'refused', 'looping', 'resolved'], example: 'missing' })
  state!: string;

  @ApiNullableText({ example: 'the resolver says that it does not exist', description: 'Why it is not resolved.' })
  problem!: string | null;

  @ApiProperty({
    example: '2026-11-20T08:30:00.123456',
    description: 'Since when it has no usable addresses, or has them again.',
  })
  since!: string;

  @ApiProperty({
    type: [String],
    example: ['www.example.org.'],
    description: 'Up to 20 names of the domain that follow the target.',
  })
  owners!: string[];

  @ApiProperty({ type: 'integer', example: 1, description: 'The number of these names, counted up to 500.' })
  owner_count!: number;
}

class EventFindingDto {
  @ApiProperty({ enum: ['error'] })
  severity!: string;

  @ApiProperty({ example: 'example.org.' })
  name!: string;

  @ApiProperty({ example: 'NS' })
  type!: string;

  @ApiProperty({ example: 'server_silent' })
  kind!: string;

  @ApiNullableText({ example: 'CONNECTIVITY01', description: 'The test of Zonemaster that finds the same.' })
  test!: string | null;

  @ApiProperty({ description: 'The problem, and how to fix it.' })
  message!: string;
}

class EventCountsDto {
  @ApiProperty({ type: 'integer', example: 1 })
  errors!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  warnings!: number;

  @ApiProperty({ type: 'integer', example: 2 })
  notices!: number;
}

class LiveCheckEventDataDto {
  @ApiProperty({ type: EventDomainDto })
  domain!: EventDomainDto;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456' })
  checked_at!: string;

  @ApiProperty({ type: EventCountsDto, description: 'Of all findings.' })
  counts!: EventCountsDto;

  @ApiProperty({ type: [EventFindingDto], description: 'The first 20 errors.' })
  findings!: EventFindingDto[];
}

/** `CloudEvent` in the API document. */
@ApiExtraModels(EventDataDto, PublicationEventDataDto, AliasEventDataDto, LiveCheckEventDataDto)
export class CloudEventDto {
  @ApiProperty({ enum: ['1.0'] })
  specversion!: string;

  @ApiProperty({
    example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4:4',
    description: 'The same for every delivery of the event.',
  })
  id!: string;

  @ApiProperty({ enum: EVENT_TYPES, example: 'zonewright.record.created' })
  type!: string;

  @ApiProperty({ example: '/v1/domains/019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  source!: string;

  @ApiPropertyOptional({
    example: 'records/019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d',
    description: 'Not for a step of the domain itself.',
  })
  subject?: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456Z' })
  time!: string;

  @ApiProperty({ enum: ['application/json'] })
  datacontenttype!: string;

  @ApiProperty({
    description:
      'Of `zonewright.domain.published` and `.lagging` how the change stands to the name servers; of `.alias_failing` and' +
      ' `.alias_recovered` the target; of `.live_check_failing` and `.live_check_recovered` the result of the check.',
    oneOf: [EventDataDto, PublicationEventDataDto, AliasEventDataDto, LiveCheckEventDataDto].map(({ name }) => ({
      $ref: `#/components/schemas/${name}`,
    })),
  })
  data!: EventDataDto | PublicationEventDataDto | AliasEventDataDto | LiveCheckEventDataDto;
}
