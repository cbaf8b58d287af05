import { Injectable } from '@nestjs/common';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { IdempotencyOptions } from './idempotency.options.js';
import { KEPT_FOR, StoredResponseRepository } from './stored-response.repository.js';

/** Milliseconds between two reads of a tenant's total, which sums one row for each response. */
const READ_EVERY = 10_000;
const MOST_TENANTS = 10_000;

interface Weight {
  octets: number;
  readonly oldest: Instant | null;
  /** Milliseconds of `performance.now()`. */
  readonly readAt: number;
}

/**
 * Refuses requests above the limit of a tenant (behaviour 10.2): deleting answers early would permit a second
 * execution. Sees additions of other processes at the next read.
 */
@Injectable()
export class StoredResponseRoom {
  private readonly warning = new ThrottledLogger();
  private readonly weights = new Map<string, Promise<Weight>>();

  constructor(
    private readonly answers: StoredResponseRepository,
    private readonly options: IdempotencyOptions,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError `rate_limited` if the tenant has reached its limit */
  async assertRoom(tenantId: string): Promise<void> {
    const { octets, oldest } = await this.weightOf(tenantId);
    const { perTenant } = this.options;
    if (octets < perTenant) return;
    this.warning.warn(
      `${JSON.stringify(tenantId)} has ${perTenant} octets of kept answers; its new Idempotency-Keys are refused`,
    );
    const since = this.clock.now() - (oldest ?? this.clock.now());
    const seconds = Math.max(1, Math.ceil((KEPT_FOR - since) / SECOND));
    throw new ServiceError(
      'rate_limited',
      `The answers kept for the Idempotency-Keys of the tenant have ${perTenant} octets, as many as they may; send it without a` +
        ` key, or again in ${seconds} s, when the oldest has been kept for 24 hours.`,
      [],
      seconds,
    );
  }

  add(tenantId: string, octets: number): void {
    this.weights.get(tenantId)?.then(
      (weight) => (weight.octets += octets),
      // The next request reads again.
      () => undefined,
    );
  }

  private async weightOf(tenantId: string): Promise<Weight> {
    const known = await this.weights.get(tenantId);
    if (known !== undefined && performance.now() - known.readAt < READ_EVERY) return known;
    if (this.weights.size >= MOST_TENANTS) this.weights.clear();
    const read = this.read(tenantId);
    this.weights.set(tenantId, read);
    // The next request reads again.
    read.catch(() => this.weights.delete(tenantId));
    return read;
  }

  private async read(tenantId: string): Promise<Weight> {
    return { ...(await this.answers.weigh(tenantId)), readAt: performance.now() };
  }
}
