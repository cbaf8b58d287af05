import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { CurrentCaller, Gone, PathId } from '../../http/decorators.js';
import { Paging } from '../../http/lists/paging.js';
import type { ApiRequest } from '../../http/request.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { MOST_SETS } from '../comparison-limits.js';
import { DomainReadsService } from '../domain-reads.service.js';
import { LiveComparisonService } from '../live-comparison.service.js';
import { DomainReadDto, ReadDomainDto, toDomainReadDto, toReadRequest } from './dto/domain-read.dto.js';
import { LiveComparisonDto, LiveComparisonQueryDto, toLiveComparisonDto } from './dto/live-comparison.dto.js';

/** Reads domains at the name servers that they move away from (behaviour 15.10, 15.11). */
@Operations('moves', { errors: ['invalid_object'] })
@Controller('v1')
export class MovesController {
  constructor(
    private readonly reads: DomainReadsService,
    private readonly comparisons: LiveComparisonService,
    private readonly paging: Paging,
  ) {}

  @Post('domain-reads')
  @HttpCode(200)
  @Operation({
    id: 'readDomain',
    summary: 'Read a domain at its present name servers',
    description:
      'Asks the name servers of another provider, and stores nothing. Check and import `zone_file` with `importZone`.' +
      ' A server that does not answer is a result: see its `reason`.',
    response: DomainReadDto,
    bodyErrors: [],
  })
  async read(
    @Body() body: ReadDomainDto,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
  ): Promise<DomainReadDto> {
    const request = toReadRequest(body);
    return toDomainReadDto(request, await this.reads.read(request, caller, gone));
  }

  @Get('domains/:domain_id/live-comparison')
  @Operation({
    id: 'compareLive',
    summary: 'Compare a domain with the answers of name servers',
    description: 'Asks for at most 200 record sets in at most 10 seconds; `links.next` goes on.',
    query: LiveComparisonQueryDto,
    ids: ['domain_id'],
    response: LiveComparisonDto,
    errors: ['zone_not_found'],
  })
  async compare(
    @PathId('domain_id') zoneId: string,
    @Query(shapeOf(LiveComparisonQueryDto)) query: LiveComparisonQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Gone() gone: AbortSignal,
  ): Promise<LiveComparisonDto> {
    const { name_servers: servers, limit = MOST_SETS, marker = '' } = query;
    const nameServers = servers === undefined ? null : servers.split(',').map((text) => text.trim());
    const compared = await this.comparisons.compare(zoneId, caller, { nameServers, limit, marker }, gone);
    return toLiveComparisonDto(compared, this.paging.markedLinks(request, compared.marker));
  }
}
