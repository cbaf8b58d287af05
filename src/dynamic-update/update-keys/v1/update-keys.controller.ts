import { Body, Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Caller } from '../../../common/caller.js';
import { CurrentCaller, PathId } from '../../../http/decorators.js';
import type { StreamList } from '../../../http/lists/stream-list.js';
import { Paging } from '../../../http/lists/paging.js';
import type { ApiRequest } from '../../../http/request.js';
import type { UpdateKeyEntity } from '../update-key.entity.js';
import { UpdateKeysService } from '../update-keys.service.js';
import { CreateUpdateKeyDto, type NewUpdateKeyDto, toUpdateKeyDto, toUpdateKeyRequest } from './dto/update-key.dto.js';
import { ApiCreateUpdateKey, ApiListUpdateKeys, ApiRevokeUpdateKey, ApiUpdateKeys } from './update-keys.api.js';

@ApiUpdateKeys()
@Controller('v1/update-keys')
export class UpdateKeysController {
  constructor(
    private readonly keys: UpdateKeysService,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiCreateUpdateKey()
  async create(@Body() body: CreateUpdateKeyDto, @CurrentCaller() caller: Caller): Promise<NewUpdateKeyDto> {
    const key = await this.keys.create(toUpdateKeyRequest(body), caller);
    return { ...toUpdateKeyDto(key), secret: key.secret };
  }

  @Get()
  @ApiListUpdateKeys()
  list(@CurrentCaller() caller: Caller, @Req() request: ApiRequest): Promise<StreamList> {
    let last: UpdateKeyEntity | null = null;
    const source = {
      // Page after page: what is before the next one is the last of this one.
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
  @ApiRevokeUpdateKey()
  async revoke(@PathId('update_key_id') id: string, @CurrentCaller() caller: Caller): Promise<string> {
    await this.keys.revoke(id, caller);
    return '';
  }
}
