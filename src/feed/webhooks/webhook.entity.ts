import { Column, Entity, Index } from 'typeorm';
import { hasLabels, labelsOf } from '../../common/labels.js';
import type { ChangeEntry } from '../../plugins/change-listener.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

@Entity('webhooks')
@Index('webhooks_of_tenant', ['tenantId', 'id'])
export class WebhookEntity extends ResourceEntity {
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('text')
  url!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  @Column('integer')
  enabled!: number;

  /** `gone`: the target has answered 410. */
  @Column('varchar', { name: 'disabled_because', length: 16, nullable: true, ...BYTEWISE })
  disabledBecause!: 'gone' | null;

  /** Domain IDs and lower-case names as JSON; `null`: all. */
  @Column('text', { nullable: true })
  domains!: string | null;

  /** Version 1 actions as JSON; `null`: all. */
  @Column('text', { nullable: true })
  actions!: string | null;

  /** `Labels` as JSON, all of which a domain has to have; `null`: any domain. */
  @Column('text', { nullable: true })
  labels!: string | null;

  /** Signing key, stored in plain text: `whsec_` and base64. */
  @Column('varchar', { length: 80, ...BYTEWISE })
  secret!: string;

  /** Previous secret, which signs too until `formerUntil`. */
  @Column('varchar', { name: 'former_secret', length: 80, nullable: true, ...BYTEWISE })
  formerSecret!: string | null;

  @Column('bigint', { name: 'former_until', nullable: true })
  formerUntil!: number | null;

  @Column('bigint', { name: 'overflowed_at', nullable: true })
  overflowedAt!: number | null;
}

export type Subscription = Pick<WebhookEntity, 'id' | 'domains' | 'actions' | 'labels' | 'createdAt'>;

export function isForDomain({ domains, labels }: Subscription, zone: ChangeEntry['zone']): boolean {
  const asked = Object.entries(labelsOf({ labels })).map(([key, value]) => ({ key, value }));
  if (!hasLabels(zone.labels ?? {}, asked)) return false;
  if (domains === null) return true;
  const wanted = listIn(domains);
  return wanted.includes(zone.id) || wanted.includes(zone.name.toLowerCase());
}

/** @param unnamed result for a webhook without actions */
export function asksFor({ actions }: Subscription, action: string, unnamed: boolean): boolean {
  return actions === null ? unnamed : listIn(actions).includes(action);
}

/** Written by `WebhooksService`. */
function listIn(column: string): readonly string[] {
  return JSON.parse(column) as string[];
}
