import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** The limits that were set for a tenant; `null` where the default holds, so that a new default holds for it as well. */
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
