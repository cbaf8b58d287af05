import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
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

  async change(tenantId: string, change: QuotaChange, caller: Caller): Promise<Quota> {
    await this.stored.set(tenantId, (stored) => this.quotas.alteredBy(stored, change), caller);
    return this.quotas.of(tenantId);
  }

  reset(tenantId: string, caller: Caller): Promise<void> {
    return this.stored.delete(tenantId, caller);
  }
}
