import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller } from '../../http/decorators.js';
import { AboutCaller } from '../access.decorators.js';
import { ServiceInfo } from '../service-info.js';
import { TokenRepository } from '../tokens/token.repository.js';
import { toWhoamiDto, type WhoamiDto } from './dto/whoami.dto.js';
import { ApiGetWhoami, ApiWhoami } from './whoami.api.js';

@ApiWhoami()
@AboutCaller()
@Controller('v1/whoami')
export class WhoamiController {
  constructor(
    private readonly tokens: TokenRepository,
    private readonly info: ServiceInfo,
  ) {}

  @Get()
  @ApiGetWhoami()
  async whoami(@CurrentCaller() caller: Caller): Promise<WhoamiDto> {
    const { tokenId, isOwnToken } = caller;
    const token = isOwnToken === true && tokenId !== null ? await this.tokens.find(tokenId) : undefined;
    return toWhoamiDto(caller, token, this.info);
  }
}
