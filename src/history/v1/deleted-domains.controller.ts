import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { BodyOptional } from '../../http/bodies/media-types.js';
import { entityTag } from '../../http/conditions.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { IdempotentRequests } from '../../http/idempotency-keys/idempotent-requests.js';
import type { ApiRequest } from '../../http/request.js';
import { OperationsRefused } from '../../records/changes/operation-list.js';
import { saying } from '../../records/v1/change-message.mapper.js';
import { toDomainDto } from '../../zones/v1/domain.mapper.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { HistoryService } from '../history.service.js';
import {
  DEFAULT_DELETED,
  type DeletedDomainsDto,
  DeletedDomainsQueryDto,
  toDeletedDomainDto,
} from './dto/deleted-domains.dto.js';
import { RestoreDeletedDto } from './dto/restore-deleted.dto.js';
import { RestoringService } from '../restoring.service.js';
import { ApiDeletedDomains, ApiHistory, ApiRestoreDeleted } from './history.api.js';

@ApiHistory()
@Controller('v1/deleted-domains')
export class DeletedDomainsController {
  constructor(
    private readonly histories: HistoryService,
    private readonly restoring: RestoringService,
    private readonly answersOnce: IdempotentRequests,
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

  @Post(':domain_id/restore')
  @HttpCode(200)
  @BodyOptional()
  @ApiRestoreDeleted()
  restore(
    @PathId('domain_id') zoneId: string,
    @Body() { message }: RestoreDeletedDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.answersOnce.give<ZoneEntity>(
      { request, response },
      (hook) =>
        this.restoring.restore(zoneId, saying(message, caller), hook).catch((error: unknown) => {
          throw inWordsOfRecords(error);
        }),
      (domain) => ({
        body: toDomainDto(domain),
        entityTag: entityTag(domain.version, domain.changedAt),
        location: this.absoluteUrl.of(request, `/v1/domains/${domain.id}`),
      }),
    );
  }
}

/** The operations at fault are records of the domain as it was. */
function inWordsOfRecords(error: unknown): unknown {
  if (!(error instanceof OperationsRefused)) return error;
  const errors = error.errors.map((one) => ({ ...one, path: one.path.replace(/^operations/, 'records') }));
  return error.withErrors(errors);
}
