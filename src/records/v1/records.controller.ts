import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { SearchClient } from '../../common/waiting/search-turns.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { searchClientOf } from '../../http/request-lifetime.js';
import { type Precondition, entityTag, IfMatch } from '../../http/conditions.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import type { StreamList } from '../../http/lists/stream-list.js';
import { Paging } from '../../http/lists/paging.js';
import type { ApiRequest } from '../../http/request.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { IdempotentRequests } from '../../http/idempotency-keys/idempotent-requests.js';
import { CreateRecordDto, UpdateRecordDto } from './dto/record-request.dto.js';
import { ListRecordsQueryDto, toFoundRecords, toListedRecordDto, RecordListDto } from './dto/record-list.dto.js';
import { RecordDto, type RecordMapper, recordMapper, toRecordDto, withFields } from './record.mapper.js';
import { RecordContentPipe, RecordUpdatePipe, RecordFilterPipe, type RecordListRequest } from './pipes/record.pipe.js';
import { assertTtlKept } from '../../zones/v1/shared-fields.mapper.js';
import type { RecordContent, RecordUpdate } from '../record-content.js';
import type { Expectation } from '../changes/record-operation.js';
import type { RecordView } from '../record.repository.js';
import { ShowsFields, ApiShowsFields } from './query-parameters.mapper.js';
import { RecordLists } from '../lists/record-lists.js';
import { RecordsOptions } from '../records.options.js';
import { RecordsService } from '../records.service.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/headers.js';
import { ApiIdempotencyKey, ApiIfMatch, Operation, Operations } from '../../http/v1/api-docs.js';
import { STANDARD_TYPES } from '../../dns/rdata/index.js';

const examples = Object.fromEntries(
  STANDARD_TYPES.map(({ name, rfc, priority, example }) => {
    const { name: owner, data } = example;
    const value = { name: owner, type: name, data, ...(priority === 'required' ? { priority: example.priority } : {}) };
    return [name, { summary: `${name}, ${rfc}`, value }];
  }),
);

@Operations('records', { ids: ['domain_id'] })
@Controller(['v1/domains/:domain_id/records', 'domains/:domain_id/records'])
export class RecordsController {
  private readonly form: RecordMapper;
  private readonly formWithFields: RecordMapper;

  constructor(
    private readonly records: RecordsService,
    private readonly lists: RecordLists,
    private readonly answersOnce: IdempotentRequests,
    private readonly absoluteUrl: AbsoluteUrl,
    private readonly paging: Paging,
    private readonly options: RecordsOptions,
  ) {
    this.form = recordMapper(options);
    this.formWithFields = withFields(this.form, options.knownTypes);
  }

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Create a record',
    description: 'One operation for every type; the examples show the form of `data` that each asks for.',
    requestBody: { type: CreateRecordDto, examples },
    parameters: [ApiShowsFields(), ApiIdempotencyKey()],
    response: {
      type: RecordDto,
      headers: { Location: { description: 'Absolute URL of the new record.', schema: { type: 'string' } } },
    },
    errors: ['invalid_object', 'change_not_allowed', 'invalid_location', 'invalid_ttl', 'zone_not_found', 'over_quota'],
    bodyErrors: ['duplicate_record', 'signing_conflict', 'request_in_progress'],
  })
  async create(
    @PathId('domain_id') zoneId: string,
    @Body(shapeOf(CreateRecordDto), RecordContentPipe) content: RecordContent,
    @CurrentCaller() caller: Caller,
    @ShowsFields() showsFields: boolean,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.answersOnce.give<RecordView>(
      { request, response },
      (keeping) => this.records.create(zoneId, content, caller, keeping),
      (record) => ({
        body: this.formOf(showsFields)(record),
        entityTag: tagOf(record),
        location: this.absoluteUrl.of(request, `/v1/domains/${zoneId}/records/${record.id}`),
      }),
    );
  }

  @Get()
  @Operation({
    summary: 'List the records of a domain',
    description: 'Complete, in the order of creation, unless `limit` is sent; then `links.next` leads on.',
    query: ListRecordsQueryDto,
    response: RecordListDto,
    errors: ['invalid_object', 'zone_not_found'],
  })
  async list(
    @PathId('domain_id') zoneId: string,
    @Query(shapeOf(ListRecordsQueryDto), RecordFilterPipe) { page, filter, search }: RecordListRequest,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<StreamList> {
    const { id, tenantId } = await this.records.zoneOf(zoneId, caller);
    const toDto = this.listedForm(page.fields === 'true', tenantId);
    if (search !== null) {
      const found = await this.lists.page(id, search, searchClientOf(request));
      const next = found.hasNext ? search.offset + found.records.length : null;
      return { ...toFoundRecords(found, toDto), links: this.paging.numberedLinks(request, next) };
    }
    const source = {
      page: (marker: string, limit: number, searchClient: SearchClient) =>
        this.records.page({ zoneId: id, filter, searchClient }, marker, limit),
      knows: (marker: string) => this.records.knows(id, marker),
      toDto,
    };
    return this.paging.answer('records', source, page, request);
  }

  @Get(':id')
  @Operation({
    summary: 'Get a record',
    ids: ['id'],
    parameters: [ApiShowsFields(), ApiIfNoneMatch()],
    response: { type: RecordDto, headers: ENTITY_TAG },
    errors: ['invalid_object', 'zone_not_found', 'record_not_found'],
  })
  async get(
    @PathId('domain_id') zoneId: string,
    @PathId('id') id: string,
    @CurrentCaller() caller: Caller,
    @ShowsFields() showsFields: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RecordDto> {
    const record = await this.records.get(zoneId, id, caller);
    response.setHeader('ETag', tagOf(record));
    return this.formOf(showsFields)(record);
  }

  @Put(':id')
  @Operation({
    summary: 'Update a record',
    description:
      'Fields that are left out keep their values; null clears ttl, description and expires_at. The type stays.',
    requestBody: { type: UpdateRecordDto },
    ids: ['id'],
    parameters: [ApiShowsFields(), ApiIfMatch()],
    response: { type: RecordDto, headers: ENTITY_TAG },
    errors: ['invalid_object', 'change_not_allowed', 'invalid_location', 'invalid_ttl'],
    bodyErrors: ['zone_not_found', 'record_not_found', 'duplicate_record', 'over_quota'],
  })
  async update(
    @PathId('domain_id') zoneId: string,
    @PathId('id') id: string,
    @Body(shapeOf(UpdateRecordDto), RecordUpdatePipe) fields: RecordUpdate,
    @CurrentCaller() caller: Caller,
    @IfMatch() condition: Precondition | null,
    @ShowsFields() showsFields: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RecordDto> {
    const record = await this.records.update(zoneId, id, fields, caller, (found) => {
      condition?.assertHolds(tagOf(found));
      assertTtlKept(fields.ttl, found);
    });
    response.setHeader('ETag', tagOf(record));
    return this.formOf(showsFields)(record);
  }

  @Delete(':id')
  @Operation({
    summary: 'Delete a record',
    ids: ['id'],
    parameters: [ApiIfMatch()],
    response: { description: 'The record is deleted; the body is empty.' },
    errors: ['zone_not_found', 'record_not_found'],
  })
  async delete(
    @PathId('domain_id') zoneId: string,
    @PathId('id') id: string,
    @CurrentCaller() caller: Caller,
    @IfMatch() condition: Precondition | null,
  ): Promise<string> {
    await this.records.delete(zoneId, id, caller, expectationOf(condition));
    return '';
  }

  private formOf(showsFields: boolean): RecordMapper {
    return showsFields ? this.formWithFields : this.form;
  }

  private listedForm(showsFields: boolean, tenantId: string): (record: RecordView) => RecordDto {
    if (this.options.strictClients) return showsFields ? withFields(toRecordDto, this.options.knownTypes) : toRecordDto;
    const form = this.formOf(showsFields);
    return (record) => toListedRecordDto(form(record), record, tenantId);
  }
}

function tagOf({ version, createdAt, updatedAt }: RecordView): string {
  return entityTag(version, updatedAt ?? createdAt);
}

function expectationOf(condition: Precondition | null): Expectation | undefined {
  return condition === null ? undefined : (record) => condition.assertHolds(tagOf(record));
}
