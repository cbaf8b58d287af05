import { Body, Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { IfMatch, type Precondition } from '../../http/conditions.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { untilAnswered } from '../../http/request-lifetime.js';
import type { ApiRequest } from '../../http/request.js';
import {
  type AnswerKeeping,
  IdempotentRequests,
  keepingUnder,
} from '../../http/idempotency-keys/idempotent-requests.js';
import { type ChangeOptions, RecordChanges } from '../changes/record-changes.js';
import type { ChangeResult } from '../changes/change-request.js';
import type { RecordOperation } from '../changes/record-operation.js';
import { PlanFindings } from '../plan-findings.js';
import { RecordsOptions } from '../records.options.js';
import { inWordsOfChangeSet } from './change-set-refusal.js';
import { ChangeSetQueryDto, ChangeSetDto } from './dto/change-set.dto.js';
import { DoneChangeSetDto, toDoneChangeSetDto, withFindings } from './done-change-set.mapper.js';
import { asksForFindings } from './query-parameters.mapper.js';
import { recordMapper, withFields } from './record.mapper.js';
import { saying } from './change-message.mapper.js';
import { type ChangeSet, ChangeSetPipe } from './pipes/change-set.pipe.js';
import { ApiIdempotencyKey, ApiIfMatch, Operation, Operations } from '../../http/v1/api-docs.js';

const ID = '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d';

const OTHER_ID = '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4e';

const CNAME = { name: 'www.example.org.', type: 'CNAME', data: 'web.example.net.' };

const examples = {
  'CNAME instead of A': {
    summary: 'Move a name from an address to a CNAME',
    value: {
      changes: [
        { action: 'delete', id: ID },
        { action: 'create', record: CNAME },
      ],
    },
  },
  'swapped names': {
    summary: 'Let two records exchange their names',
    value: {
      changes: [
        { action: 'update', id: ID, record: { name: 'b.example.org.' } },
        { action: 'update', id: OTHER_ID, record: { name: 'a.example.org.' } },
      ],
    },
  },
  'a record set': {
    summary: 'Replace all addresses of a name',
    value: {
      changes: [
        {
          action: 'replace',
          name: 'www.example.org.',
          type: 'A',
          records: [{ data: '192.0.2.3' }, { data: '192.0.2.4' }],
        },
      ],
    },
  },
};

@Operations('records', { ids: ['domain_id'] })
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
  @ApiIfMatch()
  @Operation({
    id: 'changeRecords',
    summary: 'Change several records at once',
    description:
      'All of it or nothing, with one serial. Only the resulting records have to obey the rules, not the steps in between.' +
      ' A refusal names every entry at fault.',
    requestBody: { type: ChangeSetDto, examples },
    parameters: [ApiIdempotencyKey()],
    response: DoneChangeSetDto,
    errors: ['invalid_object', 'change_not_allowed', 'invalid_location', 'invalid_ttl'],
    bodyErrors: ['zone_not_found', 'record_not_found', 'duplicate_record', 'request_in_progress', 'over_quota'],
  })
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
    // The response has the records, so their memory is released after the client received it.
    const keepMemory = untilAnswered(response);
    const apply = (keeping: AnswerKeeping<ChangeResult> | null): Promise<ChangeResult> =>
      this.apply(zoneId, caller, operations, { isDryRun, hook: keepingUnder(condition, keeping), keepMemory });
    const form = recordMapper(this.options);
    const shown = fields === 'true' ? withFields(form, this.options.knownTypes) : form;
    const show = (done: ChangeResult): DoneChangeSetDto => toDoneChangeSetDto(zoneId, done, shown);
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
