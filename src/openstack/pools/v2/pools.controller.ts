import { Controller } from '@nestjs/common';
import { AdminOnly } from '../../../auth/access.decorators.js';
import { V2Operations } from '../../../http/v2/api-docs.js';
import { resourceController } from '../../../http/v2/resource-controller.js';
import { PoolsService } from '../pools.service.js';
import {
  CreatePoolDto,
  fieldsOfPool,
  PoolDto,
  PoolListDto,
  UpdatePoolDto,
  toPool,
  toPoolUpdate,
} from './dto/pool.dto.js';

@V2Operations('pools')
@AdminOnly()
@Controller('v2/pools')
export class PoolsController extends resourceController(PoolsService, {
  path: 'pools',
  one: 'a pool',
  many: 'pools',
  id: 'pool_id',
  list: {
    filters: ['name'],
    sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at', name: 'name' },
  },
  dto: PoolDto,
  listDto: PoolListDto,
  createDto: CreatePoolDto,
  updateDto: UpdatePoolDto,
  toNew: toPool,
  toChanges: toPoolUpdate,
  fieldsOf: fieldsOfPool,
  notFound: 'pool_not_found',
  duplicate: 'duplicate_pool',
  updateStatus: 202,
  updateErrors: ['change_not_allowed'],
  deleteErrors: ['change_not_allowed'],
}) {}
