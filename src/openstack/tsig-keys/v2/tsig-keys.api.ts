import type { CollectionRules } from '../../../http/v2/collection-query.js';
import { describeResource } from '../../../http/v2/resource-docs.js';
import { TsigKeyDto, TsigKeyListDto } from './dto/tsig-key.dto.js';

export const TSIG_KEY_LIST: CollectionRules = {
  filters: ['name', 'algorithm', 'scope'],
  sortKeys: {
    created_at: 'created_at',
    id: 'id',
    updated_at: 'updated_at',
    name: 'name',
    algorithm: 'algorithm',
    scope: 'scope',
  },
};

export const ApiTsigKeys = describeResource({
  one: 'a TSIG key',
  many: 'TSIG keys',
  id: 'tsigkey_id',
  dto: TsigKeyDto,
  listDto: TsigKeyListDto,
  rules: TSIG_KEY_LIST,
  notFound: 'tsig_key_not_found',
});
