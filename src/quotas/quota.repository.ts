import { Injectable } from '@nestjs/common';
import { Lookup } from '../database/lookup.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statement.js';
import { entityManagerOf, type Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { QuotaChange } from './quota.js';
import { QuotaEntity } from './quota.entity.js';

const FIND_SQL =
  'SELECT tenant_id AS "tenantId", zones, zone_recordsets AS "zoneRecordsets", zone_records AS "zoneRecords",' +
  ' recordset_records AS "recordsetRecords", api_export_size AS "apiExportSize" FROM quotas WHERE tenant_id = ?';
const FIND = new Statement<QuotaEntity>(FIND_SQL);
/** In a change it travels with what else the change reads. */
const FIND_FOR_CHANGE = new Lookup<QuotaEntity>(FIND_SQL, ['text']);

@Injectable()
export class QuotaRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The limits that were set for the tenant; `null` when none was. */
  async find(tenantId: string): Promise<QuotaEntity | null> {
    return (await this.reads.run((tx) => FIND.first(tx, [tenantId]))) ?? null;
  }

  /** The same, read in the transaction of a change. */
  async findForChange(tx: Transaction, tenantId: string): Promise<QuotaEntity | null> {
    const [found = null] = await FIND_FOR_CHANGE.rows(tx, [], [[tenantId]]);
    return found;
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
