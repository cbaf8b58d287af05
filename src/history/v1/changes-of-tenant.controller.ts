import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { readInstant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { CurrentCaller, Gone } from '../../http/decorators.js';
import { Paging } from '../../http/lists/paging.js';
import type { ApiRequest } from '../../http/request.js';
import { TenantChangesService } from '../tenant-changes.service.js';
import { formatCursor, readCursor, type TimeCursor } from '../../zones/journal/time-cursor.js';
import { DEFAULT_CHANGES } from './dto/changes.dto.js';
import { type TenantChangesDto, TenantChangesQueryDto, toTenantChangeDto } from './dto/tenant-changes.dto.js';
import { ApiChangesOfTenant, ApiHistory } from './history.api.js';
import { TokenDescriptions } from './token-descriptions.js';

@ApiHistory()
@Controller('v1/changes')
export class ChangesOfTenantController {
  constructor(
    private readonly list: TenantChangesService,
    private readonly tokens: TokenDescriptions,
    private readonly paging: Paging,
  ) {}

  @Get()
  @ApiChangesOfTenant()
  async changes(
    @Query() { limit = DEFAULT_CHANGES, marker, since }: TenantChangesQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Gone() gone: AbortSignal,
  ): Promise<TenantChangesDto> {
    const asked = {
      limit,
      marker: marker === undefined ? null : cursorIn(marker),
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

/** @throws ServiceError `invalid_object` */
function cursorIn(marker: string): TimeCursor {
  const cursor = readCursor(marker);
  if (cursor !== null) return cursor;
  throw ServiceError.ofField('invalid_object', 'marker', 'format', 'marker: send that of links.next.');
}
