import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller } from '../../http/decorators.js';
import { ServiceError } from '../../common/service-error.js';
import { ApiExcludeController } from '../../http/openapi/decorators.js';
import { type JsonAnswer, jsonAnswer } from '../answers.js';
import { CryptoKeys } from './crypto-keys.js';
import { ZoneLookup } from './zone-lookup.js';

@ApiExcludeController()
@Controller('api/v1/servers/localhost/zones/:zone_id/cryptokeys')
export class CryptoKeysController {
  constructor(
    private readonly lookup: ZoneLookup,
    private readonly keys: CryptoKeys,
  ) {}

  @Get()
  async list(@Param('zone_id') zoneId: string, @CurrentCaller() caller: Caller): Promise<JsonAnswer> {
    return jsonAnswer(await this.keys.list(await this.lookup.find(zoneId, caller), caller));
  }

  @Post()
  @HttpCode(201)
  async create(
    @Param('zone_id') zoneId: string,
    @Body() body: object,
    @CurrentCaller() caller: Caller,
  ): Promise<JsonAnswer> {
    return jsonAnswer(await this.keys.add(await this.lookup.find(zoneId, caller), body, caller), 201);
  }

  @Get(':key_id')
  async get(
    @Param('zone_id') zoneId: string,
    @Param('key_id') id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<JsonAnswer> {
    const key = await this.keys.one(await this.lookup.find(zoneId, caller), id, caller);
    return key === null ? noKey() : jsonAnswer(key);
  }

  @Put(':key_id')
  @HttpCode(204)
  async update(
    @Param('zone_id') zoneId: string,
    @Param('key_id') id: string,
    @Body() body: object,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    if (!(await this.keys.keep(await this.lookup.find(zoneId, caller), id, body, caller))) noKey();
  }

  @Delete(':key_id')
  @HttpCode(204)
  async delete(
    @Param('zone_id') zoneId: string,
    @Param('key_id') id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    if (!(await this.keys.remove(await this.lookup.find(zoneId, caller), id, caller))) noKey();
  }
}

function noKey(): never {
  throw new ServiceError('zone_not_found', 'There is no such key');
}
