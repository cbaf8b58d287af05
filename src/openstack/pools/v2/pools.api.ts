import type { CollectionRules } from '../../../http/v2/collection-query.js';
import { describeResource } from '../../../http/v2/resource-docs.js';
import { PoolDto, PoolListDto } from './dto/pool.dto.js';

export const POOL_LIST: CollectionRules = {
  filters: ['name'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at', name: 'name' },
};

export const ApiPools = describeResource({
  one: 'a pool',
  many: 'pools',
  id: 'pool_id',
  dto: PoolDto,
  listDto: PoolListDto,
  rules: POOL_LIST,
  notFound: 'pool_not_found',
});
