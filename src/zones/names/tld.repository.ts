import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { FilteredPages } from '../../database/statements/filtered-pages.js';
import { RESOURCE_COLUMNS, RESOURCE_SELECT, type ResourceKind } from '../../database/resource.repository.js';
import { TldEntity } from './tld.entity.js';
import { NameRuleRepository } from './name-rule.repository.js';

@Injectable()
export class TldRepository extends NameRuleRepository<TldEntity> {
  protected override readonly kind: ResourceKind<TldEntity> = {
    entity: TldEntity,
    table: 'tlds',
    pages: new FilteredPages<TldEntity>({
      select: `${RESOURCE_SELECT}, name, name_key AS "nameKey", description`,
      from: 'tlds',
      columns: { ...RESOURCE_COLUMNS, name: { sql: 'name', kind: 'text' } },
      id: 'id',
    }),
    key: { name: 'tlds_key', table: 'tlds', columns: ['name_key'] },
    duplicate: () => ServiceError.ofField('duplicate_tld', 'name', 'enum', 'A TLD of this name exists already.'),
    notFound: () => new ServiceError('tld_not_found', 'There is no such TLD.'),
    audited: {
      kind: 'tld',
      nameOf: ({ name }) => name,
      detailsOf: ({ name, description }) => ({ name, description }),
    },
  };
}
