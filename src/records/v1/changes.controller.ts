import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { RecordChanges } from '../record-changes.js';
import type { RecordOperation } from '../record-operation.js';
import { inWordsOfChangeSet } from './change-set-refusal.js';
import { ApiChangeRecords, ApiChanges } from './changes.api.js';
import { ChangeSetQueryDto } from './dto/change-set-query.dto.js';
import { type DoneChangeSetDto, toDoneChangeSetDto } from './dto/done-change-set.dto.js';
import { ChangeSetPipe } from './pipes/change-set.pipe.js';

@ApiChanges()
@Controller(['v1/domains/:domain_id/changes', 'domains/:domain_id/changes'])
export class ChangesController {
  constructor(private readonly changes: RecordChanges) {}

  @Post()
  @HttpCode(200)
  @ApiChangeRecords()
  async change(
    @PathId('domain_id') zoneId: string,
    @Query() { dry_run }: ChangeSetQueryDto,
    @Body(ChangeSetPipe) operations: readonly RecordOperation[],
    @CurrentCaller() caller: Caller,
  ): Promise<DoneChangeSetDto> {
    const isDryRun = dry_run === 'true';
    const done = await this.changes.apply(zoneId, caller, operations, { isDryRun }).catch((error: unknown) => {
      throw inWordsOfChangeSet(error, operations);
    });
    return toDoneChangeSetDto(done, isDryRun);
  }
}
