import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller } from '../../http/decorators.js';
import { AboutCaller } from '../access.decorators.js';
import { ServiceInfo, toWhoamiDto, WhoamiDto } from './dto/whoami.dto.js';
import { TokenRepository } from '../tokens/token.repository.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';

@Operations('tokens')
@AboutCaller()
@Controller('v1/whoami')
export class WhoamiController {
  constructor(
    private readonly tokens: TokenRepository,
    private readonly info: ServiceInfo,
  ) {}

  @Get()
  @Operation({
    id: 'whoami',
    summary: 'Say who the credential stands for, what it may do, and what the service offers',
    response: WhoamiDto,
  })
  async whoami(@CurrentCaller() caller: Caller): Promise<WhoamiDto> {
    const { tokenId, isOwnToken } = caller;
    const token = isOwnToken === true && tokenId !== null ? await this.tokens.find(tokenId) : undefined;
    return toWhoamiDto(caller, token, this.info);
  }
}
