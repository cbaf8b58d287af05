import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { FilteredPages } from '../../database/statements/filtered-pages.js';
import {
  RESOURCE_COLUMNS,
  RESOURCE_SELECT,
  type ResourceKind,
  ResourceRepository,
} from '../../database/resource.repository.js';
import { TsigKeyEntity } from './tsig-key.entity.js';

@Injectable()
export class TsigKeyRepository extends ResourceRepository<TsigKeyEntity> {
  protected override readonly kind: ResourceKind<TsigKeyEntity> = {
    entity: TsigKeyEntity,
    table: 'tsig_keys',
    pages: new FilteredPages<TsigKeyEntity>({
      select: `${RESOURCE_SELECT}, name, name_key AS "nameKey", algorithm, secret, scope, resource_id AS "resourceId"`,
      from: 'tsig_keys',
      columns: {
        ...RESOURCE_COLUMNS,
        name: { sql: 'name', kind: 'text' },
        algorithm: { sql: 'algorithm', kind: 'text' },
        scope: { sql: 'scope', kind: 'text' },
      },
      id: 'id',
    }),
    key: { name: 'tsig_keys_key', table: 'tsig_keys', columns: ['name_key'] },
    duplicate: () =>
      ServiceError.ofField('duplicate_tsig_key', 'name', 'enum', 'A TSIG key of this name exists already.'),
    notFound: () => new ServiceError('tsig_key_not_found', 'There is no such TSIG key.'),
    audited: {
      kind: 'tsig_key',
      nameOf: ({ name }) => name,
      detailsOf: ({ name, algorithm, secret, scope, resourceId }) => ({
        ...{ name, algorithm, scope, resource_id: resourceId },
        // That it was given, and nothing of it.
        ...(secret !== undefined && { secret: '***' }),
      }),
    },
  };
}
