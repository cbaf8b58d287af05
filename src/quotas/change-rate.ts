import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { TokenBucket } from '../common/waiting/token-bucket.js';
import { RATE_LIMIT_REFUSALS } from '../observability/rate-limit-refusals.js';
import { ChangeLimits, type ChangeOrigin } from '../zones/changes/change-limits.js';
import { ChangeRateOptions } from './quotas.options.js';

const MINUTE = 60_000;

/**
 * A bucket for each tenant that holds a minute's changes and fills up again evenly (behaviour 8.7). What a change weighs is
 * known when it is done: it begins when there is one left, and may leave a debt of no more than another minute.
 */
@Injectable()
export class ChangeRate extends ChangeLimits {
  private readonly logger = new Logger('Zonewright');
  /** What masters send does not keep a tenant from its own changes. */
  private readonly buckets: Readonly<Record<ChangeOrigin, Map<string, TokenBucket>>> = {
    tenant: new Map(),
    master: new Map(),
  };
  private sweptAt = performance.now();
  private hasWarned = false;

  constructor(private readonly options: ChangeRateOptions) {
    super();
  }

  override async run<T>(
    tenantId: string,
    change: (weigh: (weight: number) => void) => Promise<T>,
    origin: ChangeOrigin = 'tenant',
  ): Promise<T> {
    const { perMinute } = this.options;
    if (perMinute === 0) return change(() => undefined);
    const buckets = this.buckets[origin];
    const bucket = this.bucketOf(tenantId, buckets);
    if (!bucket.tryTake()) throw this.refusal(tenantId, bucket);
    let weight = 1;
    try {
      return await change((weighed) => (weight = weighed));
    } catch (error) {
      // It is no fault of the tenant. What is refused has read what it was judged by.
      if (!(error instanceof ServiceError) || error.code === 'unavailable') weight = 1;
      throw error;
    } finally {
      // Asked for anew: a change that took long may have outlived its bucket.
      if (weight > 1) this.bucketOf(tenantId, buckets).takeInAdvance(Math.min(weight - 1, perMinute));
    }
  }

  private bucketOf(tenantId: string, buckets: Map<string, TokenBucket>): TokenBucket {
    this.sweep(performance.now());
    const { perMinute } = this.options;
    let bucket = buckets.get(tenantId);
    if (bucket === undefined) {
      bucket = new TokenBucket(MINUTE / perMinute, perMinute);
      buckets.set(tenantId, bucket);
    }
    return bucket;
  }

  /** Forgets once a minute who has nothing to make up for. */
  private sweep(now: number): void {
    if (now - this.sweptAt < MINUTE) return;
    this.sweptAt = now;
    this.hasWarned = false;
    for (const buckets of Object.values(this.buckets))
      for (const [tenantId, bucket] of buckets) if (bucket.isFull) buckets.delete(tenantId);
  }

  private refusal(tenantId: string, bucket: TokenBucket): ServiceError {
    this.warnOf(tenantId);
    RATE_LIMIT_REFUSALS.of('changes').add();
    const seconds = Math.max(1, Math.ceil(bucket.timeToNext() / 1000));
    return new ServiceError(
      'rate_limited',
      `The tenant has reached its limit of changes for now; try again in ${seconds} s.`,
      [],
      seconds,
    );
  }

  /** Once a minute: the log says that the limit is reached, and not how often. */
  private warnOf(tenantId: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(`${JSON.stringify(tenantId)} makes more changes than changes_per_minute allows and has to wait`);
  }
}
