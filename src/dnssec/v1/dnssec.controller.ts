import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { BodyOptional } from '../../http/bodies/media-types.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { DnssecService } from '../dnssec.service.js';
import { RolloversService } from '../rollovers/rollovers.service.js';
import {
  ApiCancelRoll,
  ApiDnssec,
  ApiGetDnssec,
  ApiNoteParent,
  ApiResign,
  ApiRoll,
  ApiUpdateDnssec,
} from './dnssec.api.js';
import {
  CreateRolloverDto,
  DnssecDto,
  ParentDto,
  toDnssecDto,
  toParentStatement,
  toRolloverRequest,
} from '../forms/dnssec.dto.js';
import { toSigningRequest, UpdateDnssecDto } from '../forms/update-dnssec.dto.js';

@ApiDnssec()
@Controller(['v1/domains/:domain_id/dnssec', 'domains/:domain_id/dnssec'])
export class DnssecController {
  constructor(
    private readonly dnssec: DnssecService,
    private readonly rollovers: RolloversService,
  ) {}

  @Get()
  @ApiGetDnssec()
  async get(@PathId('domain_id') zoneId: string, @CurrentCaller() caller: Caller): Promise<DnssecDto> {
    return toDnssecDto(await this.dnssec.of(zoneId, caller));
  }

  @Put()
  @ApiUpdateDnssec()
  async update(
    @PathId('domain_id') zoneId: string,
    @Body() body: UpdateDnssecDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DnssecDto> {
    const dnssec = body.enabled
      ? await this.dnssec.enable(zoneId, toSigningRequest(body), caller)
      : await this.dnssec.disable(zoneId, caller);
    return toDnssecDto(dnssec);
  }

  @Post('rollovers')
  @HttpCode(200)
  @ApiRoll()
  async roll(
    @PathId('domain_id') zoneId: string,
    @Body() body: CreateRolloverDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DnssecDto> {
    return toDnssecDto(await this.rollovers.begin(zoneId, toRolloverRequest(body), caller));
  }

  @Delete('rollovers/:rollover_id')
  @ApiCancelRoll()
  async cancelRoll(
    @PathId('domain_id') zoneId: string,
    @PathId('rollover_id') rolloverId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DnssecDto> {
    return toDnssecDto(await this.rollovers.cancel(zoneId, rolloverId, caller));
  }

  @Post('resign')
  @HttpCode(200)
  @BodyOptional()
  @ApiResign()
  async resign(@PathId('domain_id') zoneId: string, @CurrentCaller() caller: Caller): Promise<DnssecDto> {
    return toDnssecDto(await this.dnssec.resign(zoneId, caller));
  }

  @Post('parent')
  @HttpCode(200)
  @ApiNoteParent()
  async noteParent(
    @PathId('domain_id') zoneId: string,
    @Body() body: ParentDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DnssecDto> {
    return toDnssecDto(await this.dnssec.noteParent(zoneId, toParentStatement(body), caller));
  }
}
