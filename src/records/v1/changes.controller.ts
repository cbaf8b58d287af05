import { Body, Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { IfMatch, type Precondition } from '../../http/conditions.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { untilAnswered } from '../../http/held-until-answered.js';
import type { ApiRequest } from '../../http/request.js';
import { type AnswerKeeping, IdempotentRequests } from '../../http/idempotency-keys/idempotent-requests.js';
import { keepingUnder } from '../../http/idempotency-keys/conditional-keeping.js';
import { type ChangeOptions, RecordChanges } from '../changes/record-changes.js';
import type { ChangeResult, RecordOperation } from '../changes/record-operation.js';
import { PlanFindings } from '../plan-findings.js';
import { RecordsOptions } from '../records.options.js';
import { inWordsOfChangeSet } from './change-set-refusal.js';
import { ApiChangeRecords, ApiChanges } from './changes.api.js';
import { ChangeSetQueryDto } from './dto/change-set-query.dto.js';
import { type DoneChangeSetDto, toDoneChangeSetDto, withFindings } from './done-change-set.mapper.js';
import { asksForFindings } from './plan-findings.mapper.js';
import { recordMapper, withFields } from './record.mapper.js';
import { saying } from './change-message.mapper.js';
import { type ChangeSet, ChangeSetPipe } from './pipes/change-set.pipe.js';

@ApiChanges()
@Controller(['v1/domains/:domain_id/changes', 'domains/:domain_id/changes'])
export class ChangesController {
  constructor(
    private readonly changes: RecordChanges,
    private readonly answersOnce: IdempotentRequests,
    private readonly findings: PlanFindings,
    private readonly options: RecordsOptions,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiChangeRecords()
  async change(
    @PathId('domain_id') zoneId: string,
    @Query() { dry_run, findings, fields }: ChangeSetQueryDto,
    @Body(ChangeSetPipe) { operations, message }: ChangeSet,
    @CurrentCaller() requester: Caller,
    @IfMatch() condition: Precondition | null,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const isDryRun = dry_run === 'true';
    const hasFindings = asksForFindings(findings, dry_run);
    const caller = saying(message, requester);
    // The answer has the records: it is released when its client has taken it.
    const keepMemory = untilAnswered(response);
    const apply = (keeping: AnswerKeeping<ChangeResult> | null): Promise<ChangeResult> =>
      this.apply(zoneId, caller, operations, { isDryRun, hook: keepingUnder(condition, keeping), keepMemory });
    const form = recordMapper(this.options);
    const shown = fields === 'true' ? withFields(form, this.options.knownTypes) : form;
    const show = (done: ChangeResult): DoneChangeSetDto => toDoneChangeSetDto(zoneId, done, shown);
    // What stores nothing may be repeated as it is.
    if (isDryRun) {
      const done = await apply(null);
      if (!hasFindings || done.dryRun === null) return show(done);
      return withFindings(show(done), await this.findings.of(zoneId, caller, done.dryRun));
    }
    return this.answersOnce.give({ request, response }, apply, (done) => ({ body: show(done) }));
  }

  private async apply(
    zoneId: string,
    caller: Caller,
    operations: readonly RecordOperation[],
    options: ChangeOptions,
  ): Promise<ChangeResult> {
    try {
      return await this.changes.apply(zoneId, caller, operations, options);
    } catch (error) {
      throw inWordsOfChangeSet(error, operations);
    }
  }
}
