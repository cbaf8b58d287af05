import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

export type TaskKind = 'import' | 'export';
export type TaskStatus = 'PENDING' | 'COMPLETE' | 'ERROR';

/** Characters. */
export const MAX_TASK_MESSAGE = 1024;

/** An import or export that a client polls; it is kept for a day. */
@Entity('zone_tasks')
@Index('zone_tasks_of_tenant', ['tenantId', 'kind', 'createdAt', 'id'])
@Index('zone_tasks_by_time', ['createdAt'])
@Index('zone_tasks_pending', ['id'], { where: "status = 'PENDING'" })
export class ZoneTaskEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { length: 8 })
  kind!: TaskKind;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** `null` for an import without a zone yet. */
  @Column('varchar', { name: 'zone_id', length: 36, nullable: true, ...BYTEWISE })
  zoneId!: string | null;

  /** Number of the zone's latest journal row; only for an export. */
  @Column('bigint', { name: 'zone_version', nullable: true })
  zoneVersion!: number | null;

  /** Only for an export. */
  @Column('bigint', { nullable: true })
  serial!: number | null;

  @Column('varchar', { length: 8 })
  status!: TaskStatus;

  @Column('varchar', { length: MAX_TASK_MESSAGE, nullable: true })
  message!: string | null;

  @Column('bigint')
  renewals!: number;

  @Column('integer')
  version!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;
}
