import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../../common/clock.js';
import { causeOf } from '../../common/service-error.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { type StoredToken, TokenRepository } from './token.repository.js';

/** Minimum interval between writes in microseconds; shorter if the address changes. */
const RENEWED_AFTER: Instant = 300_000_000;
const RENEWED_ELSEWHERE_AFTER: Instant = 60_000_000;

export type LastUse = Pick<StoredToken, 'id' | 'lastUsedAt' | 'lastUsedFrom'>;

/** Records the last use of tokens without a write for each request (behaviour 14.2). */
@Injectable()
export class TokenUses {
  private readonly underWay = new Set<string>();
  private readonly warning = new ThrottledLogger();

  constructor(
    private readonly tokens: TokenRepository,
    private readonly clock: Clock,
  ) {}

  /** Runs in the background, because a failed write must not fail the request. */
  note({ id, lastUsedAt, lastUsedFrom }: LastUse, from: string): void {
    const now = this.clock.now();
    const interval = from === lastUsedFrom ? RENEWED_AFTER : RENEWED_ELSEWHERE_AFTER;
    if ((lastUsedAt !== null && now - lastUsedAt < interval) || this.underWay.has(id)) return;
    this.underWay.add(id);
    void this.write(id, now, from);
  }

  private async write(id: string, at: Instant, from: string): Promise<void> {
    try {
      await this.tokens.recordUse(id, at, from);
      this.warning.over('The last use of tokens is recorded again.');
    } catch (error) {
      this.warning.warn(
        `The last use of tokens cannot be recorded at the moment: ${causeOf(error)}. Requests are still answered.`,
      );
    } finally {
      this.underWay.delete(id);
    }
  }
}
