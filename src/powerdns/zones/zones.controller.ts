import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller, Gone } from '../../http/decorators.js';
import { ApiExcludeController } from '../../http/openapi/decorators.js';
import { type JsonAnswer, jsonText } from '../answers.js';
import { RrsetWriter } from '../rrsets/rrset-writer.js';
import * as sent from '../input.js';
import { CryptoKeys } from './crypto-keys.js';
import { ZoneAnswers } from './zone-answers.js';
import { listedZones } from './zone.mapper.js';
import { ZoneLookup } from './zone-lookup.js';
import { PowerDnsZoneCreator } from './zone-creator.js';
import { ZoneUpdates } from './zone-updates.js';
import { ZonesService } from '../../zones/zones.service.js';

type QueryInput = Readonly<Record<string, unknown>>;

@ApiExcludeController()
@Controller('api/v1/servers/localhost/zones')
export class ZonesController {
  constructor(
    private readonly zones: ZonesService,
    private readonly lookup: ZoneLookup,
    private readonly creation: PowerDnsZoneCreator,
    private readonly updates: ZoneUpdates,
    private readonly changes: RrsetWriter,
    private readonly answers: ZoneAnswers,
    private readonly keys: CryptoKeys,
  ) {}

  @Get()
  async list(@Query() query: QueryInput, @CurrentCaller() caller: Caller): Promise<JsonAnswer> {
    const name = sent.textIn(query, 'zone');
    const hasDnssec = readTruth(query, 'dnssec');
    if (name === undefined) return this.answers.list(caller, hasDnssec);
    const zone = await this.lookup.named(name.endsWith('.') ? name : `${name}.`, caller);
    return jsonText(`[${zone === null ? '' : listedZones(hasDnssec)(zone)}]`);
  }

  @Post()
  @HttpCode(201)
  async create(
    @Body() body: object,
    @Query() query: QueryInput,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
  ): Promise<JsonAnswer> {
    const isShort = !readTruth(query, 'rrsets');
    const isSigned = this.keys.readNew(body);
    const zone = await this.creation.make(body, caller);
    await this.keys.signNew(zone, isSigned, caller);
    return isShort ? this.answers.withoutSets(zone, 201) : this.answers.whole(zone, caller, gone, { status: 201 });
  }

  @Get(':zone_id')
  async get(
    @Param('zone_id') id: string,
    @Query() query: QueryInput,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
  ): Promise<JsonAnswer> {
    const zone = await this.lookup.find(id, caller);
    if (!readTruth(query, 'rrsets')) return this.answers.withoutSets(zone);
    const name = sent.textIn(query, 'rrset_name') ?? null;
    const type = sent.textIn(query, 'rrset_type') ?? null;
    const hasDisabled = readTruth(query, 'include_disabled');
    return this.answers.asked(zone, { name, type, hasDisabled }, caller, gone);
  }

  @Patch(':zone_id')
  @HttpCode(204)
  async patch(
    @Param('zone_id') id: string,
    @Body() body: object,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const zone = await this.lookup.find(id, caller);
    const serials = await this.changes.patch(zone, body, caller);
    response.setHeader('X-PDNS-Old-Serial', String(serials.old));
    response.setHeader('X-PDNS-New-Serial', String(serials.new));
  }

  @Put(':zone_id')
  @HttpCode(204)
  async update(@Param('zone_id') id: string, @Body() body: object, @CurrentCaller() caller: Caller): Promise<void> {
    const zone = await this.lookup.find(id, caller);
    const isSigned = await this.keys.readChange(zone, body, caller);
    await this.updates.update(zone, body, caller);
    await this.keys.sign(zone, isSigned, caller);
  }

  @Delete(':zone_id')
  @HttpCode(204)
  async delete(@Param('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    await this.zones.delete((await this.lookup.find(id, caller)).id, caller);
  }
}

/** @throws ServiceError unless the value is a boolean */
function readTruth(query: QueryInput, field: string): boolean {
  const text = sent.textIn(query, field) ?? 'true';
  if (text === 'true' || text === 'false') return text === 'true';
  return sent.refuse(`'${field}' request parameter value '${text.slice(0, 64)}' is not supported`);
}
