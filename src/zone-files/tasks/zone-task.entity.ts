import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

export type TaskKind = 'import' | 'export';
export type TaskStatus = 'PENDING' | 'COMPLETE' | 'ERROR';

/** Longest message in characters. */
export const MAX_TASK_MESSAGE = 1024;

/** An import or an export that a client asks for and looks at later; it is kept for a day. */
@Entity('zone_tasks')
@Index('zone_tasks_of_tenant', ['tenantId', 'kind', 'createdAt', 'id'])
@Index('zone_tasks_by_time', ['createdAt'])
@Index('zone_tasks_pending', ['id'], { where: "status = 'PENDING'" })
export class ZoneTaskEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { length: 8 })
  kind!: TaskKind;

  /** Who has asked for it. */
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** `null` for an import that has not made its zone. */
  @Column('varchar', { name: 'zone_id', length: 36, nullable: true, ...BYTEWISE })
  zoneId!: string | null;

  /** Of an export: the number of the zone's latest journal row at the moment that is exported. */
  @Column('bigint', { name: 'zone_version', nullable: true })
  zoneVersion!: number | null;

  /** Of an export: the zone's serial at that moment. */
  @Column('bigint', { nullable: true })
  serial!: number | null;

  @Column('varchar', { length: 8 })
  status!: TaskStatus;

  /** The result, in words for people. */
  @Column('varchar', { length: MAX_TASK_MESSAGE, nullable: true })
  message!: string | null;

  /** Grows as long as a process works on it. */
  @Column('bigint')
  renewals!: number;

  @Column('integer')
  version!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;
}
