import { Body, Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import type { StreamList } from '../../http/lists/stream-list.js';
import { Paging } from '../../http/lists/paging.js';
import type { ApiRequest } from '../../http/request.js';
import { OwnTokensService } from '../tokens/own-tokens.service.js';
import type { TokenEntity } from '../tokens/token.entity.js';
import { CreateTokenDto, toScopedToken } from './dto/create-token.dto.js';
import { type NewTokenDto, toTokenDto } from './dto/token.dto.js';
import { ApiCreateToken, ApiListTokens, ApiRevokeToken, ApiTokens } from './tokens.api.js';

@ApiTokens()
@Controller('v1/tokens')
export class TokensController {
  constructor(
    private readonly tokens: OwnTokensService,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiCreateToken()
  async create(@Body() body: CreateTokenDto, @CurrentCaller() caller: Caller): Promise<NewTokenDto> {
    const { entity, token } = await this.tokens.create(caller, toScopedToken(body));
    return { ...toTokenDto(entity), token };
  }

  @Get()
  @ApiListTokens()
  list(@CurrentCaller() caller: Caller, @Req() request: ApiRequest): Promise<StreamList> {
    let last: TokenEntity | null = null;
    const source = {
      // Page after page: what is before the next one is the last of this one.
      page: async (_: string, limit: number) => {
        const page = await this.tokens.page(caller, last, limit);
        last = page.entries.at(-1) ?? null;
        return page;
      },
      knows: () => Promise.resolve(false),
      toDto: toTokenDto,
    };
    return this.paging.answer('tokens', source, {}, request);
  }

  @Delete(':token_id')
  @ApiRevokeToken()
  async revoke(@PathId('token_id') id: string, @CurrentCaller() caller: Caller): Promise<string> {
    await this.tokens.revoke(caller, id);
    return '';
  }
}
