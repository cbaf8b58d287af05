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
import { TldsService } from '../tlds.service.js';
import { CreateTldDto, fieldsOfTld, type TldDto, UpdateTldDto } from './dto/tld.dto.js';
import { ApiTlds, TLD_LIST } from './tlds.api.js';

@ApiV2Operations('TLDs')
@AdminOnly()
@Controller('v2/tlds')
export class TldsController {
  private readonly answers;

  constructor(
    private readonly tlds: TldsService,
    links: V2Links,
  ) {
    this.answers = new ResourceAnswers(links, 'tlds', fieldsOfTld);
  }

  @Get()
  @ApiTlds.list()
  async list(@V2Query(TLD_LIST) query: CollectionQuery, @Req() request: ApiRequest): Promise<object> {
    return this.answers.list(await this.tlds.page(query), request);
  }

  @Post()
  @ApiTlds.create('duplicate_tld')
  async create(
    @Body() body: CreateTldDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @CurrentCaller() caller: Caller,
  ): Promise<TldDto> {
    return this.answers.made(await this.tlds.create(body, caller), request, response);
  }

  @Get(':tld_id')
  @ApiTlds.get()
  async get(@V2Id('tld_id') id: string, @Req() request: ApiRequest): Promise<TldDto> {
    return this.answers.one(await this.tlds.get(id), request);
  }

  @Patch(':tld_id')
  @ApiTlds.update(200, 'duplicate_tld')
  async update(
    @V2Id('tld_id') id: string,
    @Body() body: UpdateTldDto,
    @Req() request: ApiRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<TldDto> {
    return this.answers.one(await this.tlds.update(id, body, caller), request);
  }

  @Delete(':tld_id')
  @HttpCode(204)
  @ApiTlds.delete()
  delete(@V2Id('tld_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.tlds.delete(id, caller);
  }
}
