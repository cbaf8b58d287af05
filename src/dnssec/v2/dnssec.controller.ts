import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { BodyOptional } from '../../http/bodies/media-types.js';
import { CurrentCaller } from '../../http/decorators.js';
import { V2Id } from '../../http/v2/path-uuid.js';
import { DnssecService } from '../dnssec.service.js';
import { RolloversService } from '../rollovers/rollovers.service.js';
import {
  CreateRolloverDto,
  type DnssecDto,
  ParentDto,
  toDnssecDto,
  toParentStatement,
  toRolloverRequest,
} from '../forms/dnssec.dto.js';
import { toSigningRequest, UpdateDnssecDto } from '../forms/update-dnssec.dto.js';
import {
  ApiCancelZoneRoll,
  ApiGetZoneDnssec,
  ApiNoteParentOfZone,
  ApiResignZone,
  ApiRollZone,
  ApiUpdateZoneDnssec,
  ApiZoneDnssec,
} from './dnssec.api.js';

/** The same as in version 1: Designate has nothing of the kind that clients could expect. */
@ApiZoneDnssec()
@Controller('v2/zones/:zone_id/dnssec')
export class ZoneDnssecController {
  constructor(
    private readonly dnssec: DnssecService,
    private readonly rollovers: RolloversService,
  ) {}

  @Get()
  @ApiGetZoneDnssec()
  async get(@V2Id('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<DnssecDto> {
    return toDnssecDto(await this.dnssec.of(id, caller));
  }

  @Put()
  @ApiUpdateZoneDnssec()
  async update(
    @V2Id('zone_id') id: string,
    @Body() body: UpdateDnssecDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DnssecDto> {
    return toDnssecDto(
      await (body.enabled ? this.dnssec.enable(id, toSigningRequest(body), caller) : this.dnssec.disable(id, caller)),
    );
  }

  @Post('rollovers')
  @HttpCode(200)
  @ApiRollZone()
  async roll(
    @V2Id('zone_id') id: string,
    @Body() body: CreateRolloverDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DnssecDto> {
    return toDnssecDto(await this.rollovers.begin(id, toRolloverRequest(body), caller));
  }

  @Delete('rollovers/:rollover_id')
  @ApiCancelZoneRoll()
  async cancelRoll(
    @V2Id('zone_id') id: string,
    @V2Id('rollover_id') rolloverId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DnssecDto> {
    return toDnssecDto(await this.rollovers.cancel(id, rolloverId, caller));
  }

  @Post('resign')
  @HttpCode(200)
  @BodyOptional()
  @ApiResignZone()
  async resign(@V2Id('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<DnssecDto> {
    return toDnssecDto(await this.dnssec.resign(id, caller));
  }

  @Post('parent')
  @HttpCode(200)
  @ApiNoteParentOfZone()
  async noteParent(
    @V2Id('zone_id') id: string,
    @Body() body: ParentDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DnssecDto> {
    return toDnssecDto(await this.dnssec.noteParent(id, toParentStatement(body), caller));
  }
}
