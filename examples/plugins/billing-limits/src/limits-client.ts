import { Injectable } from '@nestjs/common';
import { BillingLimitsOptions } from './billing-limits.options.js';

/** Calls the other system: `GET <url>/tenants/<id>/limits`, answered `{ "records_per_zone": 500 }`. */
@Injectable()
export class LimitsClient {
  constructor(private readonly options: BillingLimitsOptions) {}

  /**
   * The record limit of a tenant's zones; `Infinity` for `null`.
   * @throws Error without a valid response within the time limit
   */
  async recordsPerZone(tenantId: string): Promise<number> {
    const { url, timeLimit } = this.options;
    const answer = await fetch(new URL(`tenants/${encodeURIComponent(tenantId)}/limits`, url), {
      signal: AbortSignal.timeout(timeLimit),
      redirect: 'error',
    });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    return limitIn(await answer.json());
  }
}

function limitIn(body: unknown): number {
  const { records_per_zone: limit } = (body ?? {}) as { readonly records_per_zone?: unknown };
  if (limit === null) return Infinity;
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 0) return limit;
  throw new Error('its answer has no "records_per_zone" that is a number or null');
}
