import { Injectable } from '@nestjs/common';
import type { JWTVerifyGetKey } from 'jose';
import { IssuerClient, keysUnavailable } from './issuer.client.js';
import { JwtOptions } from './jwt.options.js';

/** In milliseconds: how soon the issuer is asked again that has not answered. */
const PAUSE = 1000;

interface KnownKeys {
  readonly find: JWTVerifyGetKey;
  /** In milliseconds of `performance.now()`. */
  readonly fetchedAt: number;
}

/**
 * The keys of the issuer, fetched when they are needed, one fetch at a time and never one for each request: an unknown key
 * has them fetched once in `keys_cooldown` at most (behaviour 14.3).
 */
@Injectable()
export class IssuerKeys {
  private known: KnownKeys | null = null;
  private underWay: Promise<KnownKeys> | null = null;
  /** Until when the issuer is not asked again, in milliseconds of `performance.now()`; and whether it had no answer. */
  private pause = { until: -Infinity, afterFailure: false };

  constructor(
    private readonly issuer: IssuerClient,
    private readonly options: JwtOptions,
  ) {}

  /**
   * Finds the key that the header of a token names.
   * @throws JOSEError when there is none; ServiceError `unavailable` when that cannot be known
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const known = await this.usable();
    try {
      return await known.find(header, token);
    } catch (error) {
      const { errors } = await import('jose');
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.newerThan(known);
      if (newer === null) throw error;
      return newer.find(header, token);
    }
  };

  /** Keys that are not too old. They are renewed in time, so that nobody waits and a short absence is not noticed. */
  private async usable(): Promise<KnownKeys> {
    const { known } = this;
    const age = known === null ? Infinity : performance.now() - known.fetchedAt;
    const longest = this.options.keysCacheTime * 1000;
    if (known === null || age >= longest) return this.renewed();
    // Whoever needs newer ones is told of the failure.
    if (age >= longest / 2 && !this.isPausing()) this.renew().catch(() => undefined);
    return known;
  }

  private async renewed(): Promise<KnownKeys> {
    if (this.underWay === null && this.isPausing() && this.pause.afterFailure) throw keysUnavailable();
    return this.renew();
  }

  /** `null`: they have just been fetched. @throws ServiceError `unavailable` */
  private async newerThan(known: KnownKeys): Promise<KnownKeys | null> {
    // Another token has had them fetched meanwhile.
    if (this.known !== known) return this.known;
    if (this.underWay === null && this.isPausing() && !this.pause.afterFailure) return null;
    return this.renewed();
  }

  private isPausing(): boolean {
    return performance.now() < this.pause.until;
  }

  private renew(): Promise<KnownKeys> {
    this.underWay ??= this.fetch().finally(() => {
      this.underWay = null;
    });
    return this.underWay;
  }

  private async fetch(): Promise<KnownKeys> {
    try {
      const find = await this.issuer.fetchKeys();
      const fetchedAt = performance.now();
      this.known = { find, fetchedAt };
      this.pause = { until: fetchedAt + this.options.keysCooldown * 1000, afterFailure: false };
      return this.known;
    } catch (error) {
      this.pause = { until: performance.now() + PAUSE, afterFailure: true };
      throw error;
    }
  }
}
