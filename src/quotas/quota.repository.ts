import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { AuditTrail } from '../database/audit/audit-trail.js';
import { Lookup } from '../database/statements/lookup.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { QuotaChange } from './quota.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** `null`: the default, also a later one. */
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

const FIND_SQL =
  'SELECT tenant_id AS "tenantId", zones, zone_recordsets AS "zoneRecordsets", zone_records AS "zoneRecords",' +
  ' recordset_records AS "recordsetRecords", api_export_size AS "apiExportSize" FROM quotas WHERE tenant_id = ?';
const FIND = new Statement<QuotaEntity>(FIND_SQL);
/** Batched with the other reads of a change. */
const FIND_FOR_CHANGE = new Lookup<QuotaEntity>(FIND_SQL, ['text']);

@Injectable()
export class QuotaRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
  ) {}

  async find(tenantId: string): Promise<QuotaEntity | null> {
    return (await this.reads.run((tx) => FIND.first(tx, [tenantId]))) ?? null;
  }

  async findForChange(tx: Transaction, tenantId: string): Promise<QuotaEntity | null> {
    const [found = null] = await FIND_FOR_CHANGE.rows(tx, [], [[tenantId]]);
    return found;
  }

  /** @param changeOf returns the limits to set; others stay */
  async set(tenantId: string, changeOf: (stored: QuotaEntity | null) => QuotaChange, caller: Caller): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      const change = changeOf(await this.findForChange(tx, tenantId));
      // Write only the named columns: another process may be setting others.
      const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      if (Object.keys(named).length === 0) return;
      await entityManagerOf(tx).upsert(QuotaEntity, { tenantId, ...named }, ['tenantId']);
      const act = { action: 'quota.update', ...quotaOf(tenantId), details: detailsOf(change) } as const;
      await this.trail.record(tx, caller, [act]);
    });
  }

  async delete(tenantId: string, caller: Caller): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await entityManagerOf(tx).delete(QuotaEntity, { tenantId });
      await this.trail.record(tx, caller, [{ action: 'quota.reset', ...quotaOf(tenantId) }]);
    });
  }
}

function quotaOf(tenantId: string) {
  return { ownerId: tenantId, subject: { id: tenantId, name: null } };
}

function detailsOf({ zones, zoneRecordsets, zoneRecords, recordsetRecords, apiExportSize }: QuotaChange) {
  return {
    zones,
    zone_recordsets: zoneRecordsets,
    zone_records: zoneRecords,
    recordset_records: recordsetRecords,
    api_export_size: apiExportSize,
  };
}
