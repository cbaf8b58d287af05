import type { CollectionRules } from '../../../http/v2/collection-query.js';
import { describeResource } from '../../../http/v2/resource-docs.js';
import { BlacklistDto, BlacklistListDto } from './dto/blacklist.dto.js';

export const BLACKLIST_LIST: CollectionRules = {
  filters: ['pattern'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at', pattern: 'pattern' },
};

export const ApiBlacklists = describeResource({
  one: 'a blacklist',
  many: 'blacklists',
  id: 'blacklist_id',
  dto: BlacklistDto,
  listDto: BlacklistListDto,
  rules: BLACKLIST_LIST,
  notFound: 'blacklist_not_found',
});
