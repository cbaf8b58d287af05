import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';
import { ResourceEntity } from '../database/resource.entity.js';

@Entity('zone_templates')
@Index('zone_templates_by_name', ['tenantId', 'name'], { unique: true })
export class TemplateEntity extends ResourceEntity {
  /** `FOR_ALL`: for all tenants. */
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('varchar', { length: 63, ...BYTEWISE })
  name!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** `TemplateRecord[]` as JSON. */
  @Column('text')
  records!: string;
}

/** No tenant has an empty ID. */
export const FOR_ALL = '';

/** A record of a template. `{zone}` stands for the name of the zone, without its final dot. */
export interface TemplateRecord {
  /** Relative to the zone; `@`: the zone itself; with a final dot: ends with `{zone}.` */
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl?: number | null;
  readonly priority?: number | null;
}

/** `MX 10 mail.{zone}.` */
export function lineOf({ type, priority = null, data }: Pick<TemplateRecord, 'type' | 'priority' | 'data'>): string {
  return [type, priority, data].filter((part) => part !== null).join(' ');
}

export function recordsIn({ records }: Pick<TemplateEntity, 'records'>): readonly TemplateRecord[] {
  // Only `TemplatesService` writes the column.
  return JSON.parse(records) as TemplateRecord[];
}
