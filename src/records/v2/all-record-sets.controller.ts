import { Controller, Get, HttpCode, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { searchClientOf } from '../../http/search-client.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { V2Query } from '../../http/v2/collection-query.js';
import { V2Id } from '../../http/v2/path-uuid.js';
import { RecordSetsService } from '../record-sets.service.js';
import { RecordSetAnswers } from './record-set-answers.js';
import { ALL_RECORD_SETS, ApiFindRecordSet, ApiListAllRecordSets, ApiRecordSets } from './record-sets.api.js';

/** The record sets of all zones. */
@ApiRecordSets()
@Controller('v2/recordsets')
export class AllRecordSetsController {
  constructor(
    private readonly sets: RecordSetsService,
    private readonly answers: RecordSetAnswers,
  ) {}

  @Get()
  @ApiListAllRecordSets()
  async list(
    @V2Query(ALL_RECORD_SETS) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    return this.answers.list(await this.sets.listAll(query, caller), request);
  }

  @Get(':recordset_id')
  @HttpCode(301)
  @ApiFindRecordSet()
  async find(
    @V2Id('recordset_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const zoneId = await this.sets.zoneIdOf(id, caller, searchClientOf(request));
    response.setHeader('Location', this.answers.locationOf({ zoneId, id }, request));
  }
}
