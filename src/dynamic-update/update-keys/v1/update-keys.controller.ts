import { Body, Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Caller } from '../../../common/caller.js';
import { CurrentCaller, PathId } from '../../../http/decorators.js';
import type { StreamList } from '../../../http/lists/stream-list.js';
import { Paging } from '../../../http/lists/paging.js';
import type { ApiRequest } from '../../../http/request.js';
import type { UpdateKeyEntity } from '../update-key.entity.js';
import { UpdateKeysService } from '../update-keys.service.js';
import {
  CreateUpdateKeyDto,
  NewUpdateKeyDto,
  toUpdateKeyDto,
  toUpdateKeyRequest,
  UpdateKeyListDto,
} from './dto/update-key.dto.js';
import { Operation, Operations } from '../../../http/v1/api-docs.js';

@Operations('update keys')
@Controller('v1/update-keys')
export class UpdateKeysController {
  constructor(
    private readonly keys: UpdateKeysService,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Make a TSIG key that updates zones over DNS',
    description: 'It is limited as tokens are. The secret is shown only once.',
    response: NewUpdateKeyDto,
    bodyErrors: ['invalid_object', 'duplicate_update_key', 'over_quota'],
  })
  async create(@Body() body: CreateUpdateKeyDto, @CurrentCaller() caller: Caller): Promise<NewUpdateKeyDto> {
    const key = await this.keys.create(toUpdateKeyRequest(body), caller);
    return { ...toUpdateKeyDto(key), secret: key.secret };
  }

  @Get()
  @Operation({ summary: 'List the update keys of the tenant, without their secrets', response: UpdateKeyListDto })
  list(@CurrentCaller() caller: Caller, @Req() request: ApiRequest): Promise<StreamList> {
    let last: UpdateKeyEntity | null = null;
    const source = {
      // The marker of the next page is the last key of this one.
      page: async (_: string, limit: number) => {
        const page = await this.keys.page(caller, last, limit);
        last = page.entries.at(-1) ?? null;
        return page;
      },
      knows: () => Promise.resolve(false),
      toDto: toUpdateKeyDto,
    };
    return this.paging.answer('update_keys', source, {}, request);
  }

  @Delete(':update_key_id')
  @Operation({
    summary: 'Revoke an update key at once',
    ids: ['update_key_id'],
    response: { description: 'The key is revoked; the body is empty.' },
    errors: ['update_key_not_found'],
  })
  async revoke(@PathId('update_key_id') id: string, @CurrentCaller() caller: Caller): Promise<string> {
    await this.keys.revoke(id, caller);
    return '';
  }
}
