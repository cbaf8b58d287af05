import { Controller } from '@nestjs/common';
import { AdminOnly } from '../../../auth/access.decorators.js';
import { V2Operations } from '../../../http/v2/api-docs.js';
import { resourceController } from '../../../http/v2/resource-controller.js';
import { BlacklistsService } from '../blacklists.service.js';
import {
  CreateBlacklistDto,
  fieldsOfBlacklist,
  BlacklistDto,
  BlacklistListDto,
  UpdateBlacklistDto,
} from './dto/zone-name-rules.dto.js';

@V2Operations('blacklists')
@AdminOnly()
@Controller('v2/blacklists')
export class BlacklistsController extends resourceController(BlacklistsService, {
  path: 'blacklists',
  one: 'a blacklist',
  many: 'blacklists',
  id: 'blacklist_id',
  list: {
    filters: ['pattern'],
    sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at', pattern: 'pattern' },
  },
  dto: BlacklistDto,
  listDto: BlacklistListDto,
  createDto: CreateBlacklistDto,
  updateDto: UpdateBlacklistDto,
  toNew: (body) => body,
  toChanges: (body) => body,
  fieldsOf: fieldsOfBlacklist,
  notFound: 'blacklist_not_found',
  duplicate: 'duplicate_blacklist',
}) {}
