import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { formatInstant } from '../../common/clock.js';
import { OptionalIntegerParameter, OptionalText } from '../../http/bodies/dto-fields.js';
import { CurrentCaller } from '../../http/decorators.js';
import { LinksDto, Paging } from '../../http/lists/paging.js';
import { ApiProperty } from '../../http/openapi/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { cursorOfMarker, formatCursor } from '../../zones/journal/time-cursor.js';
import { KEY_ROLES } from '../keys/zone-key.entity.js';
import { RolloverCalendar, type ScheduledKey } from '../rollovers/rollover-calendar.js';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;

class RolloversQueryDto {
  @OptionalIntegerParameter({
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `The highest number of keys, ${DEFAULT_LIMIT} by default.`,
  })
  limit?: number;

  @OptionalText({ description: 'As `links.next` has it.' })
  marker?: string;
}

class ScheduledRolloverDto {
  @ApiProperty({ format: 'uuid' })
  domain_id!: string;

  @ApiProperty({ example: 'example.org.' })
  domain!: string;

  @ApiProperty({ enum: KEY_ROLES, example: 'zsk' })
  key!: string;

  @ApiProperty({ example: 12_345, description: 'The key tag.' })
  tag!: number;

  @ApiProperty({ example: '2027-02-21T08:29:58.000000', description: 'When its rollover is due, UTC.' })
  at!: string;

  @ApiProperty({
    enum: ['publish', 'swap', 'remove', 'sign', 'unsign'],
    nullable: true,
    example: null,
    description: 'The step of the rollover that replaces it; `null`: none yet.',
  })
  step!: string | null;
}

class ScheduledRolloversDto {
  @ApiProperty({ type: [ScheduledRolloverDto] })
  rollovers!: ScheduledRolloverDto[];

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

/** The calendar of scheduled rollovers (behaviour 23.17). */
@Operations('dnssec', { errors: ['invalid_object'] })
@Controller('v1/dnssec/rollovers')
export class RolloversController {
  constructor(
    private readonly calendar: RolloverCalendar,
    private readonly paging: Paging,
  ) {}

  @Get()
  @Operation({
    id: 'listScheduledRollovers',
    summary: 'List the keys of all domains of the tenant by the time of their scheduled rollover',
    description:
      'Empty unless the configuration has key lifetimes. A time in the past: the rollover is under way, or the domain is not' +
      ' ready for it.',
    response: ScheduledRolloversDto,
  })
  async list(
    @Query() { limit = DEFAULT_LIMIT, marker }: RolloversQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ScheduledRolloversDto> {
    const { keys, next } = await this.calendar.page(caller, cursorOfMarker(marker), limit);
    return {
      rollovers: keys.map(toScheduledRolloverDto),
      links: this.paging.markedLinks(request, next === null ? null : formatCursor(next)),
    };
  }
}

function toScheduledRolloverDto({ zoneId, name, role, tag, at, step }: ScheduledKey): ScheduledRolloverDto {
  return { domain_id: zoneId, domain: name, key: role, tag, at: formatInstant(at), step };
}
