import { Injectable } from '@nestjs/common';
import type { Quota, QuotaChange } from './quota.js';
import { QuotaRepository } from './quota.repository.js';
import { TenantQuotas } from './tenant-quotas.js';

/** Reads, changes and resets the limits of a tenant. */
@Injectable()
export class QuotasService {
  constructor(
    private readonly stored: QuotaRepository,
    private readonly quotas: TenantQuotas,
  ) {}

  get(tenantId: string): Promise<Quota> {
    return this.quotas.of(tenantId);
  }

  async change(tenantId: string, change: QuotaChange): Promise<Quota> {
    await this.stored.set(tenantId, change);
    return this.quotas.of(tenantId);
  }

  reset(tenantId: string): Promise<void> {
    return this.stored.delete(tenantId);
  }
}
