import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { BillingLimitsOptions } from './billing-limits.options.js';
import { LimitsClient } from './limits-client.js';

const MOST_TENANTS = 10_000;

/** Caches tenant limits. The last response stays valid until the next one; without any, the fallback applies. */
@Injectable()
export class TenantLimits {
  private readonly logger = new Logger('BillingLimits');
  private readonly answers: LRUCache<string, number>;
  /** By `performance.now()`: while the other system is down, requests must not wait for it in turn. */
  private silentUntil = 0;
  private isDown = false;

  constructor(
    private readonly client: LimitsClient,
    private readonly options: BillingLimitsOptions,
  ) {
    this.answers = new LRUCache({
      max: MOST_TENANTS,
      ttl: options.cacheTime * 1000,
      fetchMethod: (tenantId) => this.ask(tenantId),
      // An old answer is used while a new one is fetched, and stays when none can be had.
      allowStale: true,
      noDeleteOnStaleGet: true,
      noDeleteOnFetchRejection: true,
    });
  }

  /** The current limit, without a request. */
  recordsPerZone(tenantId: string): number {
    return this.answers.get(tenantId) ?? this.options.fallback;
  }

  /** Loads unknown limits within the time limit; refreshes old ones in the background. Never rejects. */
  async load(tenantId: string): Promise<void> {
    if (!this.answers.has(tenantId) && performance.now() < this.silentUntil) return;
    await this.answers.fetch(tenantId).catch(() => undefined);
  }

  private async ask(tenantId: string): Promise<number> {
    if (performance.now() < this.silentUntil) throw new Error('it was down a moment ago');
    try {
      const limit = await this.client.recordsPerZone(tenantId);
      if (this.isDown) this.logger.warn('limits are answered again');
      this.isDown = false;
      return limit;
    } catch (error) {
      this.silentUntil = performance.now() + this.options.retryTime * 1000;
      // Once for each time that it goes down, not for each request.
      if (!this.isDown) this.logger.warn(`no limits from ${this.options.url.host}: ${messageOf(error)}`);
      this.isDown = true;
      throw error;
    }
  }
}

/** `fetch` says only that it has failed; why is in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
