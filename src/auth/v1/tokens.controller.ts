import { Body, Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import type { StreamList } from '../../http/lists/stream-list.js';
import { Paging } from '../../http/lists/paging.js';
import type { ApiRequest } from '../../http/request.js';
import { OwnTokensService } from '../tokens/own-tokens.service.js';
import type { TokenEntity } from '../tokens/token.entity.js';
import { CreateTokenDto, toScopedToken, NewTokenDto, toTokenDto, TokenListDto } from './dto/token.dto.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';

@Operations('tokens')
@Controller('v1/tokens')
export class TokensController {
  constructor(
    private readonly tokens: OwnTokensService,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Make a token that may do no more than the one it is made with',
    description:
      'Omitted fields are those of that token. The token is shown only once, and ends with the one that created it.',
    response: NewTokenDto,
    bodyErrors: ['invalid_object', 'over_quota'],
  })
  async create(@Body() body: CreateTokenDto, @CurrentCaller() caller: Caller): Promise<NewTokenDto> {
    const { entity, token } = await this.tokens.create(caller, toScopedToken(body));
    return { ...toTokenDto(entity), token };
  }

  @Get()
  @Operation({
    summary: 'List the token itself and those made with it',
    description: 'An admin is shown all tokens of the tenant.',
    response: TokenListDto,
  })
  list(@CurrentCaller() caller: Caller, @Req() request: ApiRequest): Promise<StreamList> {
    let last: TokenEntity | null = null;
    const source = {
      // Keyset pagination by the last entry, because the list is not ordered by id.
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
  @Operation({
    summary: 'Revoke a token, and those made with it, at once',
    ids: ['token_id'],
    response: { description: 'The token is revoked; the body is empty.' },
    errors: ['token_not_found'],
  })
  async revoke(@PathId('token_id') id: string, @CurrentCaller() caller: Caller): Promise<string> {
    await this.tokens.revoke(caller, id);
    return '';
  }
}
