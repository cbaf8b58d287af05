import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/** Where a tenant wants to be told of changes. */
@Entity('webhooks')
@Index('webhooks_of_tenant', ['tenantId', 'id'])
export class WebhookEntity extends ResourceEntity {
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('text')
  url!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** 1, or 0. */
  @Column('integer')
  enabled!: number;

  /** `gone`: its target has answered 410. */
  @Column('varchar', { name: 'disabled_because', length: 16, nullable: true, ...BYTEWISE })
  disabledBecause!: 'gone' | null;

  /** JSON: ids of domains, and names in lower case; `null`: all. */
  @Column('text', { nullable: true })
  domains!: string | null;

  /** JSON: actions as version 1 names them; `null`: all. */
  @Column('text', { nullable: true })
  actions!: string | null;

  /** Signs what is sent, so that it is kept as it is: `whsec_` and base64. */
  @Column('varchar', { length: 80, ...BYTEWISE })
  secret!: string;

  /** The one before it, which signs as well until `formerUntil`. */
  @Column('varchar', { name: 'former_secret', length: 80, nullable: true, ...BYTEWISE })
  formerSecret!: string | null;

  @Column('bigint', { name: 'former_until', nullable: true })
  formerUntil!: number | null;

  /** When its queue last had no room for an event; `null`: never. */
  @Column('bigint', { name: 'overflowed_at', nullable: true })
  overflowedAt!: number | null;
}
