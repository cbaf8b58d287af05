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
import { BlacklistsService } from '../blacklists.service.js';
import { CreateBlacklistDto, fieldsOfBlacklist, type BlacklistDto, UpdateBlacklistDto } from './dto/blacklist.dto.js';
import { ApiBlacklists, BLACKLIST_LIST } from './blacklists.api.js';

@ApiV2Operations('blacklists')
@AdminOnly()
@Controller('v2/blacklists')
export class BlacklistsController {
  private readonly answers;

  constructor(
    private readonly blacklists: BlacklistsService,
    links: V2Links,
  ) {
    this.answers = new ResourceAnswers(links, 'blacklists', fieldsOfBlacklist);
  }

  @Get()
  @ApiBlacklists.list()
  async list(@V2Query(BLACKLIST_LIST) query: CollectionQuery, @Req() request: ApiRequest): Promise<object> {
    return this.answers.list(await this.blacklists.page(query), request);
  }

  @Post()
  @ApiBlacklists.create('duplicate_blacklist')
  async create(
    @Body() body: CreateBlacklistDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @CurrentCaller() caller: Caller,
  ): Promise<BlacklistDto> {
    return this.answers.made(await this.blacklists.create(body, caller), request, response);
  }

  @Get(':blacklist_id')
  @ApiBlacklists.get()
  async get(@V2Id('blacklist_id') id: string, @Req() request: ApiRequest): Promise<BlacklistDto> {
    return this.answers.one(await this.blacklists.get(id), request);
  }

  @Patch(':blacklist_id')
  @ApiBlacklists.update(200, 'duplicate_blacklist')
  async update(
    @V2Id('blacklist_id') id: string,
    @Body() body: UpdateBlacklistDto,
    @Req() request: ApiRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<BlacklistDto> {
    return this.answers.one(await this.blacklists.update(id, body, caller), request);
  }

  @Delete(':blacklist_id')
  @HttpCode(204)
  @ApiBlacklists.delete()
  delete(@V2Id('blacklist_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.blacklists.delete(id, caller);
  }
}
