import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { FilteredPages } from '../../database/statements/filtered-pages.js';
import { RESOURCE_COLUMNS, RESOURCE_SELECT, type ResourceKind } from '../../database/resource.repository.js';
import { BlacklistEntity } from './blacklist.entity.js';
import { NameRuleRepository } from './name-rule.repository.js';

@Injectable()
export class BlacklistRepository extends NameRuleRepository<BlacklistEntity> {
  protected override readonly kind: ResourceKind<BlacklistEntity> = {
    entity: BlacklistEntity,
    table: 'blacklists',
    pages: new FilteredPages<BlacklistEntity>({
      select: `${RESOURCE_SELECT}, pattern, description`,
      from: 'blacklists',
      columns: { ...RESOURCE_COLUMNS, pattern: { sql: 'pattern', kind: 'text' } },
      id: 'id',
    }),
    key: { name: 'blacklists_key', table: 'blacklists', columns: ['pattern'] },
    duplicate: () =>
      ServiceError.ofField('duplicate_blacklist', 'pattern', 'enum', 'A blacklist of this pattern exists already.'),
    notFound: () => new ServiceError('blacklist_not_found', 'There is no such blacklist.'),
    audited: {
      kind: 'blacklist',
      nameOf: ({ pattern }) => pattern,
      detailsOf: ({ pattern, description }) => ({ pattern, description }),
    },
  };
}
