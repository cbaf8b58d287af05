import { Body, Controller, Get, Put } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { DnssecService } from '../dnssec.service.js';
import { ApiDnssec, ApiGetDnssec, ApiUpdateDnssec } from './dnssec.api.js';
import { DnssecDto, toDnssecDto, toSigningWish, UpdateDnssecDto } from './dto/dnssec.dto.js';

@ApiDnssec()
@Controller(['v1/domains/:domain_id/dnssec', 'domains/:domain_id/dnssec'])
export class DnssecController {
  constructor(private readonly dnssec: DnssecService) {}

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
      ? await this.dnssec.enable(zoneId, toSigningWish(body), caller)
      : await this.dnssec.disable(zoneId, caller);
    return toDnssecDto(dnssec);
  }
}
