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
import { toDomainDto, DomainDto } from '../../zones/v1/domain.mapper.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { HistoryService } from '../history.service.js';
import {
  DEFAULT_DELETED,
  DeletedDomainsDto,
  DeletedDomainsQueryDto,
  toDeletedDomainDto,
  RestoreDeletedDto,
} from './dto/deleted-domains.dto.js';
import { RestoringService } from '../restoring.service.js';
import { ApiParam } from '../../http/openapi/decorators.js';
import { ApiIdempotencyKey, Operation, Operations } from '../../http/v1/api-docs.js';

@Operations('history', { errors: ['invalid_object', 'zone_not_found'] })
@Controller('v1/deleted-domains')
export class DeletedDomainsController {
  constructor(
    private readonly histories: HistoryService,
    private readonly restoring: RestoringService,
    private readonly answersOnce: IdempotentRequests,
    private readonly absoluteUrl: AbsoluteUrl,
  ) {}

  @Get()
  @Operation({
    id: 'listDeletedDomains',
    summary: 'List the domains that the tenant has deleted',
    description: 'As long as their history is kept, which is found by their ids.',
    response: DeletedDomainsDto,
  })
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
  @Operation({
    id: 'restoreDeletedDomain',
    summary: 'Make a deleted domain again',
    description:
      'From its history, with the fields and records that it had when it was deleted, as a new domain: it has another id, and so have its records. One change, judged by the rules and quotas of today.',
    parameters: [
      ApiParam({ name: 'domain_id', type: String, format: 'uuid', description: 'The id that it had.' }),
      ApiIdempotencyKey(),
    ],
    response: {
      type: DomainDto,
      headers: { Location: { description: 'Absolute URL of the new domain.', schema: { type: 'string' } } },
    },
    errors: ['change_not_allowed', 'invalid_location', 'invalid_ttl', 'serial_not_found'],
    bodyErrors: ['inside_foreign_zone', 'contains_foreign_zone', 'duplicate_zone', 'request_in_progress', 'over_quota'],
  })
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

/** Translates operation errors into records of the deleted domain. */
function inWordsOfRecords(error: unknown): unknown {
  if (!(error instanceof OperationsRefused)) return error;
  const errors = error.errors.map((one) => ({ ...one, path: one.path.replace(/^operations/, 'records') }));
  return error.withErrors(errors);
}
