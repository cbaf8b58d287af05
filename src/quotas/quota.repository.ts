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

  /** What the tenant was given, or `null` when it never was given anything. */
  find(tenantId: string): Promise<QuotaEntity | null> {
    return this.reads.run((tx) => findIn(tx, tenantId));
  }

  /** The same inside a change, as it stands when the change is committed. */
  findForChange(tx: Transaction, tenantId: string): Promise<QuotaEntity | null> {
    return findIn(tx, tenantId);
  }

  /** Gives the tenant the limits that `change` names, leaves the others, and returns all that it was given. */
  give(tenantId: string, change: QuotaChange): Promise<QuotaEntity> {
    return this.unitOfWork.run(async (tx) => {
      const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      // Only what was said is written: another process may be giving the others.
      await entityManagerOf(tx).upsert(QuotaEntity, { tenantId, ...said }, ['tenantId']);
      return (await findIn(tx, tenantId)) ?? emptyQuota(tenantId);
    });
  }

  async delete(tenantId: string): Promise<void> {
    await this.unitOfWork.run((tx) => entityManagerOf(tx).delete(QuotaEntity, { tenantId }));
  }
}

async function findIn(tx: Transaction, tenantId: string): Promise<QuotaEntity | null> {
  return (await FIND.first(tx, [tenantId])) ?? null;
}

function emptyQuota(tenantId: string): QuotaEntity {
  return {
    tenantId,
    zones: null,
    zoneRecordsets: null,
    zoneRecords: null,
    recordsetRecords: null,
    apiExportSize: null,
  };
}
