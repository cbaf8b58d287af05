import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { formatInstant } from '../../common/clock.js';
import { CurrentCaller, Gone, PathId } from '../../http/decorators.js';
import { ApiNullableText, ApiProperty } from '../../http/openapi/decorators.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { LIVE_KINDS } from '../live-finding.js';
import { type LiveCheck, LiveCheckService } from '../live-check.service.js';
import { type LastLiveCheck, LiveCheckResults } from '../schedule/live-check-results.js';

class LiveFindingDto {
  @ApiProperty({
    enum: ['error', 'warning', 'notice'],
    description: '`error`: some or all users are affected now. `warning`: it works, but not as intended.',
  })
  severity!: string;

  @ApiProperty({ example: 'example.org.' })
  name!: string;

  @ApiProperty({ example: 'NS' })
  type!: string;

  @ApiProperty({ enum: Object.keys(LIVE_KINDS), example: 'old_serial', description: 'For programs.' })
  kind!: string;

  @ApiNullableText({ example: 'CONSISTENCY01', description: 'The test of Zonemaster that finds the same.' })
  test!: string | null;

  @ApiProperty({ description: 'The problem, and how to fix it.' })
  message!: string;
}

const CHECKED_AT = '2026-11-30T06:00:00.000000';

class LiveCheckResultDto {
  @ApiProperty({ description: '`false`: a limit of time, queries or records ended the check; see `not_checked`.' })
  complete!: boolean;

  @ApiProperty({ type: 'integer', example: 42, description: 'Queries to the resolver and to name servers.' })
  queries!: number;

  @ApiProperty({ type: [LiveFindingDto], description: 'Errors first.' })
  findings!: LiveFindingDto[];
}

class LiveCheckDto extends LiveCheckResultDto {
  @ApiProperty({ example: CHECKED_AT, description: 'UTC.' })
  checked_at!: string;
}

class LiveCheckCountsDto {
  @ApiProperty({ type: 'integer', example: 1 })
  errors!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  warnings!: number;

  @ApiProperty({ type: 'integer', example: 2 })
  notices!: number;
}

class LastLiveCheckDto extends LiveCheckResultDto {
  @ApiNullableText({ example: CHECKED_AT, description: 'UTC; `null`: the domain was not checked yet.' })
  checked_at!: string | null;

  @ApiProperty({ type: LiveCheckCountsDto, description: 'Of all findings; `findings` has the first 100 at most.' })
  counts!: LiveCheckCountsDto;
}

/** Compares a domain with the live DNS (behaviour 27.1, 27.12). */
@Operations('zone files', { ids: ['domain_id'], errors: ['zone_not_found', 'change_not_allowed'] })
@Controller('v1/domains/:domain_id/live-check')
export class LiveChecksController {
  constructor(
    private readonly checks: LiveCheckService,
    private readonly results: LiveCheckResults,
  ) {}

  @Get()
  @Operation({
    id: 'checkLive',
    summary: 'Check a domain in the live DNS',
    description:
      'Asks the resolver and the name servers of the domain now: delegation, glue, serials, DS, targets, SPF and CAA.' +
      ' It takes some seconds, and 20 at most.',
    response: LiveCheckDto,
  })
  async check(
    @PathId('domain_id') zoneId: string,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
  ): Promise<LiveCheckDto> {
    const check = await this.checks.check(zoneId, caller, gone);
    if (!gone.aborted) await this.results.storeRequested(zoneId, check);
    return toLiveCheckDto(check);
  }

  @Get('last')
  @Operation({
    id: 'showLastLiveCheck',
    summary: 'Show the last live check of a domain',
    description: 'The result of the last check on request or by schedule. It asks no name server.',
    response: LastLiveCheckDto,
  })
  async last(@PathId('domain_id') zoneId: string, @CurrentCaller() caller: Caller): Promise<LastLiveCheckDto> {
    return toLastLiveCheckDto(await this.results.last(zoneId, caller));
  }
}

function toLiveCheckDto(check: LiveCheck): LiveCheckDto {
  return { checked_at: formatInstant(check.checkedAt), ...toResultDto(check) };
}

function toLastLiveCheckDto(check: LastLiveCheck): LastLiveCheckDto {
  const { checkedAt, errors, warnings, notices } = check;
  const checked_at = checkedAt === null ? null : formatInstant(checkedAt);
  return { checked_at, ...toResultDto(check), counts: { errors, warnings, notices } };
}

function toResultDto({ isComplete, queries, findings }: Omit<LiveCheck, 'checkedAt'>): LiveCheckResultDto {
  return { complete: isComplete, queries, findings: [...findings] };
}
