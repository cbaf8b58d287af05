import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Identity } from '../../auth/authenticator.js';
import { causeOf } from '../../common/service-error.js';
import { Clock, type Instant } from '../../common/clock.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { csrfTokenOf, digestOf, newSessionSecret, sealed, unsealed } from './session-secret.js';
import type { SessionEntity } from './session.entity.js';
import { SessionOptions } from './session.options.js';
import { SessionRepository } from './session.repository.js';

const MINUTE: Instant = 60_000_000;
const HOUR: Instant = 60 * MINUTE;
/** A use is stored at most once in 1/30 of the idle time. */
const NOTED_PART = 30;

export type Way = 'token' | 'keystone' | 'oidc';

export interface StoredCredential {
  readonly way: Way;
  readonly token: string;
  readonly refreshToken?: string;
  /** Absent if the issuer does not say. */
  readonly endsAt?: Instant;
}

export interface OpenSession {
  readonly secret: string;
  readonly csrfToken: string;
  readonly credential: StoredCredential;
  /** Each use extends it. */
  readonly endsAt: Instant;
  readonly latestEnd: Instant;
}

@Injectable()
export class SessionsService {
  private readonly warning = new ThrottledLogger();

  constructor(
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
    private readonly options: SessionOptions,
  ) {}

  /** @param replaced secret of the session to end; `null`: none */
  async open(credential: StoredCredential, identity: Identity, replaced: string | null): Promise<OpenSession> {
    const secret = newSessionSecret();
    const now = this.clock.now();
    const endOfToken = credential.refreshToken === undefined ? identity.expiresAt : undefined;
    const latestEnd = Math.min(now + this.options.longestHours * HOUR, endOfToken ?? Infinity);
    const session = {
      digest: digestOf(secret),
      holder: holderOf(identity),
      credential: sealed(secret, JSON.stringify(credential)),
      createdAt: now,
      ...{ endsAt: this.endFrom(now, latestEnd), latestEnd },
    };
    await this.sessions.insert(session, replaced === null ? '' : digestOf(replaced));
    return shown(session, secret, credential);
  }

  /** Extends the session; `null` if it has ended. */
  async use(secret: string): Promise<OpenSession | null> {
    const session = await this.sessions.find(digestOf(secret));
    const now = this.clock.now();
    if (session === undefined || session.endsAt <= now) return null;
    const endsAt = this.endFrom(now, session.latestEnd);
    if (endsAt - session.endsAt > (this.options.idleMinutes * MINUTE) / NOTED_PART) void this.extend(session, endsAt);
    // Only `open` and `replace` write the column.
    const credential = JSON.parse(unsealed(secret, session.credential)) as StoredCredential;
    return shown({ ...session, endsAt }, secret, credential);
  }

  replace({ secret }: OpenSession, credential: StoredCredential): Promise<void> {
    return this.sessions.replace(digestOf(secret), sealed(secret, JSON.stringify(credential)));
  }

  end(secret: string): Promise<void> {
    return this.sessions.delete(digestOf(secret));
  }

  private endFrom(now: Instant, latestEnd: Instant): Instant {
    return Math.min(now + this.options.idleMinutes * MINUTE, latestEnd);
  }

  /** Runs in the background: a failed write does not fail the request. */
  private async extend({ digest }: SessionEntity, endsAt: Instant): Promise<void> {
    try {
      await this.sessions.extend(digest, endsAt);
      this.warning.over('The use of sessions is recorded again.');
    } catch (error) {
      this.warning.warn(`The use of sessions cannot be recorded at the moment: ${causeOf(error)}.`);
    }
  }
}

function shown({ endsAt, latestEnd }: SessionEntity, secret: string, credential: StoredCredential): OpenSession {
  return { secret, csrfToken: csrfTokenOf(secret), credential, endsAt, latestEnd };
}

/** External tokens change often, so their user identifies the holder. */
function holderOf({ tenantId, tokenId, user, isOwnToken = false }: Identity): string {
  const who = isOwnToken ? [tokenId ?? null, user ?? null] : [tenantId, user ?? null];
  return hash('sha256', JSON.stringify(who));
}
