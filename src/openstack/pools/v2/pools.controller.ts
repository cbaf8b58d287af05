import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminOnly } from '../../../auth/access.decorators.js';
import type { Caller } from '../../../common/caller.js';
import type { CollectionQuery } from '../../../common/collection-query.js';
import { CurrentCaller } from '../../../http/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import { ApiV2Operations } from '../../../http/v2/api-docs.js';
import { V2Links } from '../../../http/v2/collection.js';
import { V2Query } from '../../../http/v2/collection-query.js';
import { V2Id } from '../../../http/v2/path-uuid.js';
import { ResourceAnswers } from '../../../http/v2/resource-answers.js';
import { PoolsService } from '../pools.service.js';
import { CreatePoolDto, fieldsOfPool, type PoolDto, toPool, toPoolChange, UpdatePoolDto } from './dto/pool.dto.js';
import { ApiPools, POOL_LIST } from './pools.api.js';

@ApiV2Operations('pools')
@AdminOnly()
@Controller('v2/pools')
export class PoolsController {
  private readonly answers;

  constructor(
    private readonly pools: PoolsService,
    links: V2Links,
  ) {
    this.answers = new ResourceAnswers(links, 'pools', fieldsOfPool);
  }

  @Get()
  @ApiPools.list()
  async list(@V2Query(POOL_LIST) query: CollectionQuery, @Req() request: ApiRequest): Promise<object> {
    return this.answers.list(await this.pools.page(query), request);
  }

  @Post()
  @ApiPools.create('duplicate_pool')
  async create(
    @Body() body: CreatePoolDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @CurrentCaller() caller: Caller,
  ): Promise<PoolDto> {
    return this.answers.made(await this.pools.create(toPool(body), caller), request, response);
  }

  @Get(':pool_id')
  @ApiPools.get()
  async get(@V2Id('pool_id') id: string, @Req() request: ApiRequest): Promise<PoolDto> {
    return this.answers.one(await this.pools.get(id), request);
  }

  @Patch(':pool_id')
  @HttpCode(202)
  @ApiPools.update(202, 'duplicate_pool', 'change_not_allowed')
  async update(
    @V2Id('pool_id') id: string,
    @Body() body: UpdatePoolDto,
    @Req() request: ApiRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<PoolDto> {
    return this.answers.one(await this.pools.update(id, toPoolChange(body), caller), request);
  }

  @Delete(':pool_id')
  @HttpCode(204)
  @ApiPools.delete('change_not_allowed')
  delete(@V2Id('pool_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.pools.delete(id, caller);
  }
}
