import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { type ResourceKind, ResourceRepository } from '../../database/resource.repository.js';
import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/** A TSIG key that an admin registered (RFC 8945). Transfers use the configured keys instead. */
@Entity('tsig_keys')
@Index('tsig_keys_key', ['nameKey'], { unique: true })
export class TsigKeyEntity extends ResourceEntity {
  @Column('varchar', { length: 160 })
  name!: string;

  /** The name in lower case, because key names are domain names. */
  @Column('varchar', { name: 'name_key', length: 160, ...BYTEWISE })
  nameKey!: string;

  @Column('varchar', { length: 32, ...BYTEWISE })
  algorithm!: TsigAlgorithm;

  @Column('varchar', { length: 255 })
  secret!: string;

  @Column('varchar', { length: 8, ...BYTEWISE })
  scope!: TsigScope;

  @Column('varchar', { name: 'resource_id', length: 36, ...BYTEWISE })
  resourceId!: string;
}

@Injectable()
export class TsigKeyRepository extends ResourceRepository<TsigKeyEntity> {
  protected override readonly kind: ResourceKind<TsigKeyEntity> = {
    entity: TsigKeyEntity,
    table: 'tsig_keys',
    columns: 'name, name_key AS "nameKey", algorithm, secret, scope, resource_id AS "resourceId"',
    listed: ['name', 'algorithm', 'scope'],
    key: { name: 'tsig_keys_key', table: 'tsig_keys', columns: ['name_key'] },
    duplicate: () =>
      ServiceError.ofField('duplicate_tsig_key', 'name', 'enum', 'A TSIG key of this name exists already.'),
    notFound: () => new ServiceError('tsig_key_not_found', 'There is no such TSIG key.'),
    audited: {
      kind: 'tsig_key',
      nameOf: ({ name }) => name,
      detailsOf: ({ name, algorithm, secret, scope, resourceId }) => ({
        ...{ name, algorithm, scope, resource_id: resourceId },
        // The audit log never has the secret.
        ...(secret !== undefined && { secret: '***' }),
      }),
    },
  };
}

export const TSIG_ALGORITHMS = [
  'hmac-md5',
  'hmac-sha1',
  'hmac-sha224',
  'hmac-sha256',
  'hmac-sha384',
  'hmac-sha512',
] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

export const TSIG_SCOPES = ['POOL', 'ZONE'] as const;
export type TsigScope = (typeof TSIG_SCOPES)[number];
