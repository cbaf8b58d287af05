import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { ChangeResult } from '../../records/changes/change-request.js';
import { OperationsRefused } from '../../records/changes/operation-list.js';
import { PlanFindings } from '../../records/plan-findings.js';
import { RecordsOptions } from '../../records/records.options.js';
import { RevertService } from '../revert.service.js';
import { RevertDto, RevertQueryDto, toRevertTarget } from './dto/revert.dto.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { IfMatch, type Precondition } from '../../http/conditions.js';
import { CurrentCaller, Gone, PathId } from '../../http/decorators.js';
import {
  type AnswerKeeping,
  IdempotentRequests,
  keepingUnder,
} from '../../http/idempotency-keys/idempotent-requests.js';
import { saying } from '../../records/v1/change-message.mapper.js';
import { DoneChangeSetDto, toDoneChangeSetDto, withFindings } from '../../records/v1/done-change-set.mapper.js';
import { asksForFindings } from '../../records/v1/query-parameters.mapper.js';
import { jsonOfDifferences, DiffQueryDto, DiffDto } from './difference.mapper.js';
import { type RecordMapper, recordMapper } from '../../records/v1/record.mapper.js';
import type { ApiRequest } from '../../http/request.js';
import { ComparisonService, type RecordDifference } from '../record-differences.js';
import { type HistoryPage, type HistoryRequest, HistoryService } from '../history.service.js';
import { HistoryDto, toHistoryEntryDto, HistoryOfNameQueryDto, HistoryQueryDto } from './dto/history.dto.js';
import {
  type HistoryOfNameRequest,
  HistoryOfNameRequestPipe,
  HistoryRequestPipe,
} from './pipes/history-request.pipe.js';
import { ApiIdempotencyKey, ApiIfMatch, Operation, Operations } from '../../http/v1/api-docs.js';

@Operations('history', { errors: ['invalid_object', 'zone_not_found'] })
@Controller()
export class HistoryController {
  private readonly form: RecordMapper;

  constructor(
    private readonly histories: HistoryService,
    private readonly comparisons: ComparisonService,
    private readonly reverts: RevertService,
    private readonly answersOnce: IdempotentRequests,
    private readonly findings: PlanFindings,
    private readonly absoluteUrl: AbsoluteUrl,
    options: RecordsOptions,
  ) {
    this.form = recordMapper(options);
  }

  @Get(['v1/domains/:domain_id/history', 'domains/:domain_id/history'])
  @Operation({
    id: 'listHistory',
    summary: 'List what happened to a domain',
    description:
      'Latest first; `links.next` leads to older entries, also if a search has found none yet. Its owner may ask by the id of a deleted domain too.',
    query: HistoryQueryDto,
    ids: ['domain_id'],
    response: HistoryDto,
  })
  async history(
    @PathId('domain_id') zoneId: string,
    @Query(shapeOf(HistoryQueryDto), HistoryRequestPipe) query: HistoryRequest,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<HistoryDto> {
    return this.answer(await this.histories.ofZone(zoneId, caller, query), request);
  }

  @Get('v1/history')
  @Operation({
    id: 'listHistoryOfName',
    summary: 'List what happened to the domain of a name',
    description: 'Of your domain, and when you have none of that name, of the one that you had last.',
    query: HistoryOfNameQueryDto,
    response: HistoryDto,
  })
  async historyOfName(
    @Query(shapeOf(HistoryOfNameQueryDto), HistoryOfNameRequestPipe) query: HistoryOfNameRequest,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<HistoryDto> {
    return this.answer(await this.histories.ofName(query.domain, caller, query), request);
  }

  @Get(['v1/domains/:domain_id/diff', 'domains/:domain_id/diff'])
  @Operation({
    id: 'diffSerials',
    summary: 'Compare a domain at two serials',
    description: 'Net, record by record: changes that were reverted are not listed.',
    query: DiffQueryDto,
    ids: ['domain_id'],
    response: DiffDto,
    errors: ['zone_not_found', 'serial_not_found'],
  })
  async diff(
    @PathId('domain_id') zoneId: string,
    @Query() { from, to }: DiffQueryDto,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    const points = { from: { serial: from }, to: to === undefined ? null : { serial: to } };
    const write = (differences: AsyncIterable<RecordDifference>) => jsonOfDifferences(zoneId, this.form, differences);
    const text = await this.comparisons.compareInWords(zoneId, caller, points, { write, gone });
    return new StreamableFile(text, { type: 'application/json; charset=utf-8' });
  }

  @Post(['v1/domains/:domain_id/revert', 'domains/:domain_id/revert'])
  @HttpCode(200)
  @Operation({
    id: 'revertDomain',
    summary: 'Restore the records of a domain as they were at a serial, or undo one change',
    description:
      'One change set, judged by the rules and quotas of today. Records that come back have their former ids. The `errors` of a refusal count as the diff from the present serial does.',
    ids: ['domain_id'],
    parameters: [ApiIdempotencyKey(), ApiIfMatch()],
    response: DoneChangeSetDto,
    errors: ['change_not_allowed', 'invalid_location', 'invalid_ttl', 'serial_not_found', 'duplicate_record'],
    bodyErrors: ['request_in_progress', 'over_quota'],
  })
  async revert(
    @PathId('domain_id') zoneId: string,
    @Query() { dry_run, findings }: RevertQueryDto,
    @Body() body: RevertDto,
    @CurrentCaller() requester: Caller,
    @IfMatch() condition: Precondition | null,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const isDryRun = dry_run === 'true';
    const hasFindings = asksForFindings(findings, dry_run);
    const target = toRevertTarget(body);
    const caller = saying(body.message, requester);
    const apply = (keeping: AnswerKeeping<ChangeResult> | null): Promise<ChangeResult> =>
      this.reverts
        .revert(zoneId, caller, target, { isDryRun, hook: keepingUnder(condition, keeping) })
        .catch((error: unknown) => {
          throw inWordsOfDiff(error);
        });
    const show = (done: ChangeResult): DoneChangeSetDto => toDoneChangeSetDto(zoneId, done, this.form);
    if (isDryRun) {
      const done = await apply(null);
      if (!hasFindings || done.dryRun === null) return show(done);
      return withFindings(show(done), await this.findings.of(zoneId, caller, done.dryRun));
    }
    return this.answersOnce.give({ request, response }, apply, (done) => ({ body: show(done) }));
  }

  /** Links use the id: another domain may soon have the name. */
  private answer({ zoneId, entries, next }: HistoryPage, request: ApiRequest): HistoryDto {
    const { searchParams } = new URL(request.originalUrl, 'http://localhost');
    searchParams.delete('domain');
    const linkOf = (): string => {
      const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`;
      return this.absoluteUrl.of(request, `/v1/domains/${zoneId}/history${query}`);
    };
    const links: HistoryDto['links'] = { self: linkOf() };
    if (next !== null) {
      searchParams.set('marker', String(next));
      links.next = linkOf();
    }
    return { history: entries.map((entry) => toHistoryEntryDto(entry, this.form)), links };
  }
}

/** Translates operation errors into entries of the diff from the current serial. */
function inWordsOfDiff(error: unknown): unknown {
  if (!(error instanceof OperationsRefused)) return error;
  const errors = error.errors.map((one) => ({ ...one, path: one.path.replace(/^operations/, 'diff') }));
  return error.withErrors(errors);
}
