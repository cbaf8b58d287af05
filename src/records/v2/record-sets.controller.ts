import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { V2Query, type CollectionRules, V2Id } from '../../http/v2/parameters.js';
import { type NewRecordSet, RecordSetsService } from '../record-sets.service.js';
import {
  CreateRecordSetDto,
  RecordSetDto,
  type StatusView,
  RecordSetListDto,
  UpdateRecordSetDto,
} from './dto/record-set.dto.js';
import { NewRecordSetPipe, RecordSetUpdates } from './pipes/new-record-set.pipe.js';
import { RecordSetAnswers, inWordsOfRecordSets } from './record-set-answers.js';
import { ALL_RECORD_SETS } from './all-record-sets.controller.js';
import { V2_LOCATION, V2Operation, V2Operations } from '../../http/v2/api-docs.js';

const RECORD_SETS: CollectionRules = { ...ALL_RECORD_SETS, sortKeys: { ...ALL_RECORD_SETS.sortKeys, id: 'id' } };

@V2Operations('recordsets')
@Controller('v2/zones/:zone_id/recordsets')
export class RecordSetsController {
  constructor(
    private readonly sets: RecordSetsService,
    private readonly updates: RecordSetUpdates,
    private readonly answers: RecordSetAnswers,
  ) {}

  @Post()
  @V2Operation({
    id: 'createRecordSet',
    summary: 'Create a record set',
    description: 'The answer is `PENDING`; GET tells when every name server has it.',
    requestBody: { type: CreateRecordSetDto },
    ids: { zone_id: 'zone_not_found' },
    response: [
      { status: 201, type: RecordSetDto, headers: V2_LOCATION, description: 'It has no records.' },
      { status: 202, type: RecordSetDto, headers: V2_LOCATION },
    ],
    bodyErrors: ['change_not_allowed', 'invalid_location', 'invalid_ttl'],
    errors: ['secondary_zone', 'duplicate_record_set', 'over_quota'],
  })
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
  @V2Operation({
    id: 'listRecordSets',
    summary: 'List the record sets of a zone',
    description: 'SOA and NS of the apex, which the service makes, are among them.',
    list: RECORD_SETS,
    ids: { zone_id: 'zone_not_found' },
    response: RecordSetListDto,
  })
  async list(
    @V2Id('zone_id') zoneId: string,
    @V2Query(RECORD_SETS) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    return this.answers.list(await this.sets.list(zoneId, query, caller), request);
  }

  @Get(':recordset_id')
  @V2Operation({
    id: 'getRecordSet',
    summary: 'Get a record set',
    ids: { zone_id: 'zone_not_found', recordset_id: 'record_set_not_found' },
    response: RecordSetDto,
  })
  async get(
    @V2Id('zone_id') zoneId: string,
    @V2Id('recordset_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<RecordSetDto> {
    return this.answers.showNow(await this.sets.get(zoneId, id, caller), request);
  }

  @Put(':recordset_id')
  @V2Operation({
    id: 'updateRecordSet',
    summary: 'Update a record set',
    description: 'Omitted fields stay. `records` are all records of the set; none leaves it empty, and unserved.',
    ids: { zone_id: 'zone_not_found', recordset_id: 'record_set_not_found' },
    response: [
      { type: RecordSetDto, description: 'It has no records.' },
      { status: 202, type: RecordSetDto },
    ],
    bodyErrors: ['change_not_allowed', 'invalid_location', 'invalid_ttl'],
    errors: ['secondary_zone', 'over_quota'],
  })
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
  @V2Operation({
    id: 'deleteRecordSet',
    summary: 'Delete a record set with its records',
    ids: { zone_id: 'zone_not_found', recordset_id: 'record_set_not_found' },
    response: { status: 202, type: RecordSetDto, description: 'The record set as it was.' },
    errors: ['change_not_allowed', 'secondary_zone'],
  })
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
