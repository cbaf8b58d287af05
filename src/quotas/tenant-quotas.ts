import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { fillQuota, type Quota } from './quota.js';
import { QuotaRepository } from './quota.repository.js';
import { QuotasOptions } from './quotas.options.js';

/** The limits that hold for a tenant: what it was given, and the configured defaults for the rest. */
@Injectable()
export class TenantQuotas {
  constructor(
    private readonly quotas: QuotaRepository,
    private readonly options: QuotasOptions,
  ) {}

  async of(tenantId: string): Promise<Quota> {
    return fillQuota(await this.quotas.find(tenantId), this.options.defaults);
  }

  async forChange(tx: Transaction, tenantId: string): Promise<Quota> {
    return fillQuota(await this.quotas.findForChange(tx, tenantId), this.options.defaults);
  }
}
