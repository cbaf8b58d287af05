import { Body, Delete, Get, HttpCode, Inject, Patch, Post, Req, Res, type Type } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import type { ErrorCode } from '../../common/service-error.js';
import { shapeOf } from '../bodies/shape.pipe.js';
import { CurrentCaller } from '../decorators.js';
import type { ApiRequest } from '../request.js';
import { V2_LOCATION, V2Operation } from './api-docs.js';
import { type CollectionPage, V2Links } from './collection.js';
import { type CollectionRules, V2Query, V2Id } from './parameters.js';
import { type Resource, ResourceAnswers } from './resources.js';

/** A resource that admins create, update and delete one at a time, such as TLDs. */
interface ResourceDescription<Row extends Resource, New, Changes, CreateDto extends object, UpdateDto extends object> {
  /** Path below `/v2/`, and name of the list in responses. */
  readonly path: string;
  /** `a TLD` */
  readonly one: string;
  /** `TLDs` */
  readonly many: string;
  /** Path parameter, such as `tld_id`. */
  readonly id: string;
  readonly list: CollectionRules;
  readonly dto: Type;
  readonly listDto: Type;
  readonly createDto: Type<CreateDto>;
  readonly updateDto: Type<UpdateDto>;
  readonly toNew: (body: CreateDto) => New;
  readonly toChanges: (body: UpdateDto) => Changes;
  /** Fields apart from those of all resources. */
  readonly fieldsOf: (row: Row) => object;
  readonly notFound: ErrorCode;
  readonly duplicate: ErrorCode;
  /** Status of a successful update. Default: 200. */
  readonly updateStatus?: number;
  readonly updateErrors?: readonly ErrorCode[];
  readonly deleteErrors?: readonly ErrorCode[];
}

interface ResourceService<Row, New, Changes> {
  page(query: CollectionQuery): Promise<CollectionPage<Row>>;
  get(id: string): Promise<Row>;
  create(fields: New, caller: Caller): Promise<Row>;
  update(id: string, fields: Changes, caller: Caller): Promise<Row>;
  delete(id: string, caller: Caller): Promise<void>;
}

/** Base class of a controller for one resource. The subclass has its path, tag and access. */
export function resourceController<
  Row extends Resource,
  New,
  Changes,
  CreateDto extends object,
  UpdateDto extends object,
>(
  service: Type<ResourceService<Row, New, Changes>>,
  resource: ResourceDescription<Row, New, Changes, CreateDto, UpdateDto>,
): Type<object> {
  const { path, one, many, id, list, dto, listDto, createDto, updateDto, notFound, duplicate } = resource;
  const { updateStatus = 200, updateErrors = [], deleteErrors = [] } = resource;

  class ResourceController {
    private readonly answers: ResourceAnswers<Row, object>;

    constructor(
      @Inject(service) private readonly resources: ResourceService<Row, New, Changes>,
      @Inject(V2Links) links: V2Links,
    ) {
      this.answers = new ResourceAnswers(links, path, resource.fieldsOf);
    }

    @Get()
    @V2Operation({ summary: `List ${many}`, list, response: listDto })
    async list(@V2Query(list) query: CollectionQuery, @Req() request: ApiRequest): Promise<object> {
      return this.answers.list(await this.resources.page(query), request);
    }

    @Post()
    @V2Operation({
      summary: `Create ${one}`,
      requestBody: { type: createDto },
      response: { status: 201, type: dto, headers: V2_LOCATION },
      bodyErrors: [duplicate],
    })
    async create(
      @Body(shapeOf(createDto)) body: CreateDto,
      @Req() request: ApiRequest,
      @Res({ passthrough: true }) response: Response,
      @CurrentCaller() caller: Caller,
    ): Promise<object> {
      return this.answers.created(await this.resources.create(resource.toNew(body), caller), request, response);
    }

    @Get(`:${id}`)
    @V2Operation({ summary: `Get ${one}`, ids: { [id]: notFound }, response: dto })
    async get(@V2Id(id) resourceId: string, @Req() request: ApiRequest): Promise<object> {
      return this.answers.one(await this.resources.get(resourceId), request);
    }

    @Patch(`:${id}`)
    @HttpCode(updateStatus)
    @V2Operation({
      summary: `Change ${one}`,
      description: 'Fields that are left out keep their values.',
      ids: { [id]: notFound },
      requestBody: { type: updateDto },
      response: { status: updateStatus, type: dto },
      bodyErrors: [duplicate, ...updateErrors],
    })
    async update(
      @V2Id(id) resourceId: string,
      @Body(shapeOf(updateDto)) body: UpdateDto,
      @Req() request: ApiRequest,
      @CurrentCaller() caller: Caller,
    ): Promise<object> {
      return this.answers.one(await this.resources.update(resourceId, resource.toChanges(body), caller), request);
    }

    @Delete(`:${id}`)
    @HttpCode(204)
    @V2Operation({
      summary: `Delete ${one}`,
      ids: { [id]: [notFound, ...deleteErrors] },
      response: { status: 204, description: 'It is gone.' },
    })
    delete(@V2Id(id) resourceId: string, @CurrentCaller() caller: Caller): Promise<void> {
      return this.resources.delete(resourceId, caller);
    }
  }

  return ResourceController;
}
