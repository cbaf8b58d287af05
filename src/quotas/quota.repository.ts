import { Injectable } from '@nestjs/common';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statement.js';
import { entityManagerOf, type Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { QuotaChange } from './quota.js';
import { QuotaEntity } from './quota.entity.js';

const FIND = new Statement<QuotaEntity>(
  'SELECT tenant_id AS "tenantId", zones, zone_recordsets AS "zoneRecordsets", zone_records AS "zoneRecords",' +
    ' recordset_records AS "recordsetRecords", api_export_size AS "apiExportSize" FROM quotas WHERE tenant_id = ?',
);

@Injectable()
export class QuotaRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The limits that were set for the tenant; `null` when none was. */
  find(tenantId: string): Promise<QuotaEntity | null> {
    return this.reads.run((tx) => findIn(tx, tenantId));
  }

  /** The same, read in the transaction of a change. */
  findForChange(tx: Transaction, tenantId: string): Promise<QuotaEntity | null> {
    return findIn(tx, tenantId);
  }

  /** Sets the limits that `change` names and leaves the others. */
  async set(tenantId: string, change: QuotaChange): Promise<void> {
    // Only the named columns are written: another process may be setting others.
    const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    await this.unitOfWork.run((tx) => entityManagerOf(tx).upsert(QuotaEntity, { tenantId, ...named }, ['tenantId']));
  }

  async delete(tenantId: string): Promise<void> {
    await this.unitOfWork.run((tx) => entityManagerOf(tx).delete(QuotaEntity, { tenantId }));
  }
}

async function findIn(tx: Transaction, tenantId: string): Promise<QuotaEntity | null> {
  return (await FIND.first(tx, [tenantId])) ?? null;
}
