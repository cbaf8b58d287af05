import type { CollectionRules } from '../../../http/v2/collection-query.js';
import { describeResource } from '../../../http/v2/resource-docs.js';
import { TldDto, TldListDto } from './dto/tld.dto.js';

export const TLD_LIST: CollectionRules = {
  filters: ['name'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at', name: 'name' },
};

export const ApiTlds = describeResource({
  one: 'a TLD',
  many: 'TLDs',
  id: 'tld_id',
  dto: TldDto,
  listDto: TldListDto,
  rules: TLD_LIST,
  notFound: 'tld_not_found',
});
