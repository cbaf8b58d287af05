import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { fillQuota, type Quota, type QuotaChange } from './quota.js';
import { QuotaRepository } from './quota.repository.js';
import { QuotasOptions } from './quotas.options.js';

/** The limits of a tenant: those that were set for it, and the configured defaults for the rest. */
@Injectable()
export class TenantQuotas {
  constructor(
    private readonly quotas: QuotaRepository,
    private readonly options: QuotasOptions,
  ) {}

  /** Reads all five limits. */
  async of(tenantId: string): Promise<Quota> {
    return fillQuota(await this.quotas.find(tenantId), this.options.defaults);
  }

  /** The same, read in the transaction of a change. */
  async forChange(tx: Transaction, tenantId: string): Promise<Quota> {
    return fillQuota(await this.quotas.findForChange(tx, tenantId), this.options.defaults);
  }

  /** The part of a change that alters a limit: one that is sent back as it was read goes on to follow the default. */
  alteredBy(stored: QuotaChange | null, change: QuotaChange): QuotaChange {
    const before = fillQuota(stored, this.options.defaults);
    return Object.fromEntries(
      Object.entries(change).filter(([limit, value]) => value !== undefined && before[limit as keyof Quota] !== value),
    );
  }
}
