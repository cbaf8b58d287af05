import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { RATE_LIMIT_REFUSALS } from '../observability/rate-limit-refusals.js';
import { ChangeLimits } from '../zones/changes/change-limits.js';
import { ChangeRateOptions } from './quotas.options.js';

const MINUTE = 60_000;

/** What a tenant has left, and when that was so, in milliseconds of the monotonic clock. */
interface Bucket {
  left: number;
  at: number;
}

/**
 * A bucket for each tenant that holds a minute's changes and fills up again evenly (behaviour 8.7). What a change weighs is
 * known when it is done: it begins when there is one left, and may leave a debt of no more than another minute.
 */
@Injectable()
export class ChangeRate extends ChangeLimits {
  private readonly logger = new Logger('Zonewright');
  private readonly buckets = new Map<string, Bucket>();
  private sweptAt = performance.now();
  private hasWarned = false;

  constructor(private readonly options: ChangeRateOptions) {
    super();
  }

  override async run<T>(tenantId: string, change: (weigh: (weight: number) => void) => Promise<T>): Promise<T> {
    const { perMinute } = this.options;
    if (perMinute === 0) return change(() => undefined);
    const bucket = this.bucketOf(tenantId);
    if (bucket.left < 1) throw this.refusal(tenantId, bucket);
    bucket.left -= 1;
    let weight = 1;
    const result = await change((weighed) => (weight = weighed));
    // Asked for anew: a change that took long may have outlived its bucket.
    if (weight > 1) this.bucketOf(tenantId).left -= Math.min(weight - 1, perMinute);
    return result;
  }

  private bucketOf(tenantId: string): Bucket {
    const now = performance.now();
    this.sweep(now);
    const { perMinute } = this.options;
    const bucket = this.buckets.get(tenantId) ?? { left: perMinute, at: now };
    bucket.left = this.leftAt(now, bucket);
    bucket.at = now;
    this.buckets.set(tenantId, bucket);
    return bucket;
  }

  private leftAt(now: number, { left, at }: Bucket): number {
    const { perMinute } = this.options;
    return Math.min(perMinute, left + ((now - at) * perMinute) / MINUTE);
  }

  /** Forgets once a minute who has nothing to make up for. */
  private sweep(now: number): void {
    if (now - this.sweptAt < MINUTE) return;
    this.sweptAt = now;
    this.hasWarned = false;
    for (const [tenantId, bucket] of this.buckets)
      if (this.leftAt(now, bucket) >= this.options.perMinute) this.buckets.delete(tenantId);
  }

  private refusal(tenantId: string, { left }: Bucket): ServiceError {
    this.warnOf(tenantId);
    RATE_LIMIT_REFUSALS.of('changes').add();
    const seconds = Math.ceil(((1 - left) * MINUTE) / this.options.perMinute / 1000);
    return new ServiceError(
      'rate_limited',
      `The tenant has made as many changes as it may for now; send it again in ${seconds} s.`,
      [],
      seconds,
    );
  }

  /** Once a minute: the log says that the limit is reached, and not how often. */
  private warnOf(tenantId: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(`${JSON.stringify(tenantId)} changes more than changes_per_minute allows, and has to wait`);
  }
}
