import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { readInstant } from '../../common/clock.js';
import { CurrentCaller, Gone } from '../../http/decorators.js';
import { Paging } from '../../http/lists/paging.js';
import type { ApiRequest } from '../../http/request.js';
import { TenantChangesService } from '../tenant-changes.service.js';
import { cursorOfMarker, formatCursor } from '../../zones/journal/time-cursor.js';
import { DEFAULT_CHANGES, TenantChangesDto, TenantChangesQueryDto, toTenantChangeDto } from './dto/changes.dto.js';
import { TokenDescriptions } from './token-descriptions.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';

@Operations('history', { errors: ['invalid_object', 'zone_not_found'] })
@Controller('v1/changes')
export class ChangesOfTenantController {
  constructor(
    private readonly list: TenantChangesService,
    private readonly tokens: TokenDescriptions,
    private readonly paging: Paging,
  ) {}

  @Get()
  @Operation({
    id: 'listChangesOfAllDomains',
    summary: 'List the changes of all domains of the tenant',
    description:
      'Latest first, those of deleted domains too. `links.next` leads to older changes, also if none has been found yet.',
    response: TenantChangesDto,
  })
  async changes(
    @Query() { limit = DEFAULT_CHANGES, marker, since }: TenantChangesQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Gone() gone: AbortSignal,
  ): Promise<TenantChangesDto> {
    const asked = {
      limit,
      marker: cursorOfMarker(marker),
      since: since === undefined ? null : readInstant(since),
    };
    const { changes, next } = await this.list.page(caller, asked, gone);
    const descriptions = await this.tokens.of(changes, caller);
    return {
      changes: changes.map((change) => toTenantChangeDto(change, descriptions)),
      links: this.paging.markedLinks(request, next === null ? null : formatCursor(next)),
    };
  }
}
