import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { readInstant } from '../../common/clock.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { ZoneChangesListService } from '../change-summaries.js';
import { ChangesDto, ChangesQueryDto, DEFAULT_CHANGES, toChangeDto } from './dto/changes.dto.js';
import { TokenDescriptions } from './token-descriptions.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';

@Operations('history', { errors: ['invalid_object', 'zone_not_found'] })
@Controller(['v1/domains/:domain_id/changes', 'domains/:domain_id/changes'])
export class ChangesListController {
  constructor(
    private readonly list: ZoneChangesListService,
    private readonly tokens: TokenDescriptions,
    private readonly absoluteUrl: AbsoluteUrl,
  ) {}

  @Get()
  @Operation({
    id: 'listChanges',
    summary: 'List the changes of a domain',
    description: 'Latest first, each as a whole: who made it, when, what it is for, and how many records it changed.',
    ids: ['domain_id'],
    response: ChangesDto,
  })
  async changes(
    @PathId('domain_id') zoneId: string,
    @Query() { limit = DEFAULT_CHANGES, marker, since }: ChangesQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ChangesDto> {
    const asked = { limit, marker: marker ?? null, since: since === undefined ? null : readInstant(since) };
    const { changes, next } = await this.list.page(zoneId, caller, asked);
    const descriptions = await this.tokens.of(changes, caller);
    const { searchParams } = new URL(request.originalUrl, 'http://localhost');
    const linkOf = (): string => {
      const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`;
      return this.absoluteUrl.of(request, `/v1/domains/${zoneId}/changes${query}`);
    };
    const links: ChangesDto['links'] = { self: linkOf() };
    if (next !== null) {
      searchParams.set('marker', String(next));
      links.next = linkOf();
    }
    return { changes: changes.map((change) => toChangeDto(change, descriptions)), links };
  }
}
