import { Controller, Get, HttpCode, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { searchClientOf } from '../../http/request-lifetime.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { LABEL, V2Query, type CollectionRules, V2Id } from '../../http/v2/parameters.js';
import { RecordSetsService } from '../record-sets.service.js';
import { RecordSetAnswers } from './record-set-answers.js';
import { RecordSetListDto } from './dto/record-set.dto.js';
import { V2Operation, V2Operations } from '../../http/v2/api-docs.js';

export const ALL_RECORD_SETS: CollectionRules = {
  filters: ['name', 'type', 'ttl', 'data', 'status', 'description', LABEL],
  sortKeys: {
    created_at: 'created_at',
    updated_at: 'updated_at',
    zone_id: 'zone_id',
    tenant_id: 'tenant_id',
    name: 'name',
    type: 'type',
    ttl: 'ttl',
  },
};

@V2Operations('recordsets')
@Controller('v2/recordsets')
export class AllRecordSetsController {
  constructor(
    private readonly sets: RecordSetsService,
    private readonly answers: RecordSetAnswers,
  ) {}

  @Get()
  @V2Operation({
    id: 'listAllRecordSets',
    summary: 'List the record sets of all zones',
    list: ALL_RECORD_SETS,
    response: RecordSetListDto,
  })
  async list(
    @V2Query(ALL_RECORD_SETS) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    return this.answers.list(await this.sets.listAll(query, caller), request);
  }

  @Get(':recordset_id')
  @HttpCode(301)
  @V2Operation({
    id: 'findRecordSet',
    summary: 'Find the zone of a record set',
    ids: { recordset_id: 'record_set_not_found' },
    response: {
      status: 301,
      description: 'The record set is at `Location`.',
      headers: { Location: { schema: { type: 'string' } } },
    },
  })
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
