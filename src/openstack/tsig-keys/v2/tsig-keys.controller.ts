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
import { TsigKeysService } from '../tsig-keys.service.js';
import {
  CreateTsigKeyDto,
  fieldsOfTsigKey,
  toTsigKey,
  toTsigKeyChange,
  type TsigKeyDto,
  UpdateTsigKeyDto,
} from './dto/tsig-key.dto.js';
import { ApiTsigKeys, TSIG_KEY_LIST } from './tsig-keys.api.js';

@ApiV2Operations('TSIG keys')
@AdminOnly()
@Controller('v2/tsigkeys')
export class TsigKeysController {
  private readonly answers;

  constructor(
    private readonly keys: TsigKeysService,
    links: V2Links,
  ) {
    this.answers = new ResourceAnswers(links, 'tsigkeys', fieldsOfTsigKey);
  }

  @Get()
  @ApiTsigKeys.list()
  async list(@V2Query(TSIG_KEY_LIST) query: CollectionQuery, @Req() request: ApiRequest): Promise<object> {
    return this.answers.list(await this.keys.page(query), request);
  }

  @Post()
  @ApiTsigKeys.create('duplicate_tsig_key')
  async create(
    @Body() body: CreateTsigKeyDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @CurrentCaller() caller: Caller,
  ): Promise<TsigKeyDto> {
    return this.answers.made(await this.keys.create(toTsigKey(body), caller), request, response);
  }

  @Get(':tsigkey_id')
  @ApiTsigKeys.get()
  async get(@V2Id('tsigkey_id') id: string, @Req() request: ApiRequest): Promise<TsigKeyDto> {
    return this.answers.one(await this.keys.get(id), request);
  }

  @Patch(':tsigkey_id')
  @ApiTsigKeys.update(200, 'duplicate_tsig_key')
  async update(
    @V2Id('tsigkey_id') id: string,
    @Body() body: UpdateTsigKeyDto,
    @Req() request: ApiRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<TsigKeyDto> {
    return this.answers.one(await this.keys.update(id, toTsigKeyChange(body), caller), request);
  }

  @Delete(':tsigkey_id')
  @HttpCode(204)
  @ApiTsigKeys.delete()
  delete(@V2Id('tsigkey_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.keys.delete(id, caller);
  }
}
