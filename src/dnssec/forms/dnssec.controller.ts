import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, type Type } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { BodyOptional } from '../../http/bodies/media-types.js';
import { CurrentCaller } from '../../http/decorators.js';
import { DnssecService } from '../dnssec.service.js';
import { OfflineKeysService, USUAL_DAYS } from '../keys/offline-keys.service.js';
import { RolloversService } from '../rollovers/rollovers.service.js';
import {
  CreateRolloverDto,
  DnssecDto,
  ParentDto,
  toDnssecDto,
  toParentStatement,
  toRolloverRequest,
} from './dnssec.dto.js';
import { KeyRequestDto, KeyRequestQueryDto, KeyResponseDto } from './offline-key.dto.js';
import { toSigningRequest, UpdateDnssecDto } from './update-dnssec.dto.js';

/** The DNSSEC resource of a zone in one API version. */
interface DnssecApi {
  readonly paths: string | string[];
  readonly tag: ClassDecorator;
  /** The decorator of an ID in the path. */
  readonly Id: (name: string) => ParameterDecorator;
  /** The name of the zone's ID in the path. */
  readonly zoneId: string;
  /** The descriptions of the operations. */
  readonly get: MethodDecorator;
  readonly update: MethodDecorator;
  readonly roll: MethodDecorator;
  readonly cancelRoll: MethodDecorator;
  readonly resign: MethodDecorator;
  readonly noteParent: MethodDecorator;
  readonly requestKeys: MethodDecorator;
  readonly respond: MethodDecorator;
}

/** Version 2 has the operations of version 1: Designate has no DNSSEC API. */
export function dnssecController({ paths, tag, Id, zoneId, ...describe }: DnssecApi): Type {
  @tag
  @Controller(paths)
  class DnssecController {
    constructor(
      private readonly dnssec: DnssecService,
      private readonly rollovers: RolloversService,
      private readonly offlineKeys: OfflineKeysService,
    ) {}

    @Get()
    @describe.get
    async get(@Id(zoneId) id: string, @CurrentCaller() caller: Caller): Promise<DnssecDto> {
      return toDnssecDto(await this.dnssec.of(id, caller));
    }

    @Put()
    @describe.update
    async update(
      @Id(zoneId) id: string,
      @Body() body: UpdateDnssecDto,
      @CurrentCaller() caller: Caller,
    ): Promise<DnssecDto> {
      const dnssec = body.enabled
        ? await this.dnssec.enable(id, toSigningRequest(body), caller)
        : await this.dnssec.disable(id, caller);
      return toDnssecDto(dnssec);
    }

    @Post('rollovers')
    @HttpCode(200)
    @describe.roll
    async roll(
      @Id(zoneId) id: string,
      @Body() body: CreateRolloverDto,
      @CurrentCaller() caller: Caller,
    ): Promise<DnssecDto> {
      return toDnssecDto(await this.rollovers.begin(id, toRolloverRequest(body), caller));
    }

    @Delete('rollovers/:rollover_id')
    @describe.cancelRoll
    async cancelRoll(
      @Id(zoneId) id: string,
      @Id('rollover_id') rolloverId: string,
      @CurrentCaller() caller: Caller,
    ): Promise<DnssecDto> {
      return toDnssecDto(await this.rollovers.cancel(id, rolloverId, caller));
    }

    @Post('resign')
    @HttpCode(200)
    @BodyOptional()
    @describe.resign
    async resign(@Id(zoneId) id: string, @CurrentCaller() caller: Caller): Promise<DnssecDto> {
      return toDnssecDto(await this.dnssec.resign(id, caller));
    }

    @Post('parent')
    @HttpCode(200)
    @describe.noteParent
    async noteParent(
      @Id(zoneId) id: string,
      @Body() body: ParentDto,
      @CurrentCaller() caller: Caller,
    ): Promise<DnssecDto> {
      return toDnssecDto(await this.dnssec.noteParent(id, toParentStatement(body), caller));
    }

    @Get('key_request')
    @describe.requestKeys
    async requestKeys(
      @Id(zoneId) id: string,
      @Query() { days = USUAL_DAYS }: KeyRequestQueryDto,
      @CurrentCaller() caller: Caller,
    ): Promise<KeyRequestDto> {
      return { request: await this.offlineKeys.request(id, days, caller) };
    }

    @Post('key_response')
    @HttpCode(200)
    @describe.respond
    async respond(
      @Id(zoneId) id: string,
      @Body() body: KeyResponseDto,
      @CurrentCaller() caller: Caller,
    ): Promise<DnssecDto> {
      return toDnssecDto(await this.offlineKeys.respond(id, body.response, caller));
    }
  }
  return DnssecController;
}
