import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

const KEY = { length: 36, primaryKeyConstraintName: 'record_set_creators_key', ...BYTEWISE } as const;

/** Of a record set that was put into a shared zone: by whom. All others are of the zone's owner. */
@Entity('record_set_creators', { withoutRowid: true })
@Index('record_set_creators_of_tenant', ['tenantId', 'zoneId'])
@Index('record_set_creators_by_set', ['recordSetId'])
export class RecordSetCreatorEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', ...KEY })
  zoneId!: string;

  @PrimaryColumn('varchar', { name: 'record_set_id', ...KEY })
  recordSetId!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;
}
