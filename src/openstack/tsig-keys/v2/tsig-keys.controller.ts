import { Controller } from '@nestjs/common';
import { AdminOnly } from '../../../auth/access.decorators.js';
import { V2Operations } from '../../../http/v2/api-docs.js';
import { resourceController } from '../../../http/v2/resource-controller.js';
import { TsigKeysService } from '../tsig-keys.service.js';
import {
  CreateTsigKeyDto,
  fieldsOfTsigKey,
  TsigKeyDto,
  TsigKeyListDto,
  UpdateTsigKeyDto,
  toTsigKey,
  toTsigKeyUpdate,
} from './dto/tsig-key.dto.js';

@V2Operations('TSIG keys')
@AdminOnly()
@Controller('v2/tsigkeys')
export class TsigKeysController extends resourceController(TsigKeysService, {
  path: 'tsigkeys',
  one: 'a TSIG key',
  many: 'TSIG keys',
  id: 'tsigkey_id',
  list: {
    filters: ['name', 'algorithm', 'scope'],
    sortKeys: {
      created_at: 'created_at',
      id: 'id',
      updated_at: 'updated_at',
      name: 'name',
      algorithm: 'algorithm',
      scope: 'scope',
    },
  },
  dto: TsigKeyDto,
  listDto: TsigKeyListDto,
  createDto: CreateTsigKeyDto,
  updateDto: UpdateTsigKeyDto,
  toNew: toTsigKey,
  toChanges: toTsigKeyUpdate,
  fieldsOf: fieldsOfTsigKey,
  notFound: 'tsig_key_not_found',
  duplicate: 'duplicate_tsig_key',
}) {}
