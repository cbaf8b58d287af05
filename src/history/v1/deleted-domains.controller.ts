import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { HistoryService } from '../history.service.js';
import {
  DEFAULT_DELETED,
  type DeletedDomainsDto,
  DeletedDomainsQueryDto,
  toDeletedDomainDto,
} from './dto/deleted-domains.dto.js';
import { ApiDeletedDomains, ApiHistory } from './history.api.js';

@ApiHistory()
@Controller('v1/deleted-domains')
export class DeletedDomainsController {
  constructor(
    private readonly histories: HistoryService,
    private readonly absoluteUrl: AbsoluteUrl,
  ) {}

  @Get()
  @ApiDeletedDomains()
  async list(
    @Query() { limit = DEFAULT_DELETED, marker = '' }: DeletedDomainsQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<DeletedDomainsDto> {
    const { entries, next } = await this.histories.deleted(caller, marker === '' ? null : marker, limit);
    const linkFrom = (after: string): string => {
      const query = new URLSearchParams({ limit: String(limit), ...(after === '' ? {} : { marker: after }) });
      return this.absoluteUrl.of(request, `/v1/deleted-domains?${query.toString()}`);
    };
    const links = { self: linkFrom(marker), ...(next === null ? {} : { next: linkFrom(next) }) };
    return { deleted_domains: entries.map(toDeletedDomainDto), links };
  }
}
