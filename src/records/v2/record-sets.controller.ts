import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { V2Query } from '../../http/v2/collection-query.js';
import { V2Id } from '../../http/v2/path-uuid.js';
import { type NewRecordSet, RecordSetsService } from '../record-sets.service.js';
import { CreateRecordSetDto } from './dto/create-record-set.dto.js';
import type { RecordSetDto, StatusView } from './dto/record-set.dto.js';
import { UpdateRecordSetDto } from './dto/update-record-set.dto.js';
import { NewRecordSetPipe } from './pipes/new-record-set.pipe.js';
import { RecordSetAnswers } from './record-set-answers.js';
import { inWordsOfRecordSets } from './record-set-refusal.js';
import { RecordSetUpdates } from './record-set-updates.js';
import { ApiCreateRecordSet, ApiDeleteRecordSet, ApiGetRecordSet, ApiListRecordSets } from './record-sets.api.js';
import { ApiRecordSets, ApiUpdateRecordSet, RECORD_SETS } from './record-sets.api.js';

@ApiRecordSets()
@Controller('v2/zones/:zone_id/recordsets')
export class RecordSetsController {
  constructor(
    private readonly sets: RecordSetsService,
    private readonly updates: RecordSetUpdates,
    private readonly answers: RecordSetAnswers,
  ) {}

  @Post()
  @ApiCreateRecordSet()
  async create(
    @V2Id('zone_id') zoneId: string,
    @Body(shapeOf(CreateRecordSetDto), NewRecordSetPipe) body: NewRecordSet,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RecordSetDto> {
    const set = await withRecordSetErrors(this.sets.create(zoneId, body, caller));
    const isEmpty = set.values.length === 0;
    response.status(isEmpty ? 201 : 202).setHeader('Location', this.answers.locationOf(set, request));
    return this.answers.show(set, isEmpty ? DONE : { status: 'PENDING', action: 'CREATE' }, request);
  }

  @Get()
  @ApiListRecordSets()
  async list(
    @V2Id('zone_id') zoneId: string,
    @V2Query(RECORD_SETS) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    return this.answers.list(await this.sets.list(zoneId, query, caller), request);
  }

  @Get(':recordset_id')
  @ApiGetRecordSet()
  async get(
    @V2Id('zone_id') zoneId: string,
    @V2Id('recordset_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<RecordSetDto> {
    return this.answers.showNow(await this.sets.get(zoneId, id, caller), request);
  }

  @Put(':recordset_id')
  @ApiUpdateRecordSet()
  async update(
    @V2Id('zone_id') zoneId: string,
    @V2Id('recordset_id') id: string,
    @Body() body: UpdateRecordSetDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RecordSetDto> {
    const set = await withRecordSetErrors(
      this.sets.update(zoneId, id, (found) => this.updates.read(found, body), caller),
    );
    const isEmpty = set.values.length === 0;
    response.status(isEmpty ? 200 : 202);
    return this.answers.show(set, isEmpty ? DONE : { status: 'PENDING', action: 'UPDATE' }, request);
  }

  @Delete(':recordset_id')
  @HttpCode(202)
  @ApiDeleteRecordSet()
  async delete(
    @V2Id('zone_id') zoneId: string,
    @V2Id('recordset_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<RecordSetDto> {
    const set = await withRecordSetErrors(this.sets.delete(zoneId, id, caller));
    return this.answers.show(set, { status: 'PENDING', action: 'DELETE' }, request);
  }
}

/** A set that is not served is never pending. */
const DONE: StatusView = { status: 'ACTIVE', action: 'NONE' };

async function withRecordSetErrors<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw inWordsOfRecordSets(error);
  }
}
