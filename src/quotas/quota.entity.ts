import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/bytewise.js';

/** The limits that a tenant was given; `null` where the default holds, so that a changed default reaches everybody. */
@Entity('quotas')
export class QuotaEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('integer', { nullable: true })
  zones!: number | null;

  @Column('integer', { name: 'zone_recordsets', nullable: true })
  zoneRecordsets!: number | null;

  @Column('integer', { name: 'zone_records', nullable: true })
  zoneRecords!: number | null;

  @Column('integer', { name: 'recordset_records', nullable: true })
  recordsetRecords!: number | null;

  @Column('integer', { name: 'api_export_size', nullable: true })
  apiExportSize!: number | null;
}
