import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { OwnTokensService } from '../own-tokens.service.js';
import { CreateTokenDto, toNarrowerToken } from './dto/create-token.dto.js';
import { type NewTokenDto, toTokenDto, type TokenListDto } from './dto/token.dto.js';
import { ApiCreateToken, ApiListTokens, ApiRevokeToken, ApiTokens } from './tokens.api.js';

@ApiTokens()
@Controller('v1/tokens')
export class TokensController {
  constructor(private readonly tokens: OwnTokensService) {}

  @Post()
  @HttpCode(200)
  @ApiCreateToken()
  async create(@Body() body: CreateTokenDto, @CurrentCaller() caller: Caller): Promise<NewTokenDto> {
    const { entity, token } = await this.tokens.create(caller, toNarrowerToken(body));
    return { ...toTokenDto(entity), token };
  }

  @Get()
  @ApiListTokens()
  async list(@CurrentCaller() caller: Caller): Promise<TokenListDto> {
    return { tokens: (await this.tokens.list(caller)).map(toTokenDto) };
  }

  @Delete(':token_id')
  @ApiRevokeToken()
  async revoke(@PathId('token_id') id: string, @CurrentCaller() caller: Caller): Promise<string> {
    await this.tokens.revoke(caller, id);
    return '';
  }
}
