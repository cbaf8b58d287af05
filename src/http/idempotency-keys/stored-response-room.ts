import { Injectable } from '@nestjs/common';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { KEPT_FOR, StoredResponseRepository } from './stored-response.repository.js';
import { IdempotencyOptions } from './idempotency.options.js';

/** So often the database is asked what a tenant has, in milliseconds: it adds up a row for each answer. */
const READ_EVERY = 10_000;
const MOST_TENANTS = 10_000;

/** What the answers that are kept for a tenant weigh. */
interface Weight {
  octets: number;
  readonly oldest: Instant | null;
  /** In milliseconds of `performance.now()`. */
  readonly readAt: number;
}

/**
 * Bounds what is kept for a tenant (behaviour 10.2). No answer goes before its time, because its request could then be carried out
 * twice: instead no further one begins. What other processes add is seen with the next reading.
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

  /** @throws ServiceError `rate_limited` when the tenant has as many octets as it may */
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

  /** Another answer is kept. */
  add(tenantId: string, octets: number): void {
    this.weights.get(tenantId)?.then(
      (weight) => (weight.octets += octets),
      // Read again for the next one.
      () => undefined,
    );
  }

  private async weightOf(tenantId: string): Promise<Weight> {
    const known = await this.weights.get(tenantId);
    if (known !== undefined && performance.now() - known.readAt < READ_EVERY) return known;
    if (this.weights.size >= MOST_TENANTS) this.weights.clear();
    const read = this.read(tenantId);
    this.weights.set(tenantId, read);
    // Whoever comes next asks again.
    read.catch(() => this.weights.delete(tenantId));
    return read;
  }

  private async read(tenantId: string): Promise<Weight> {
    return { ...(await this.answers.weigh(tenantId)), readAt: performance.now() };
  }
}
