import { Injectable, Optional } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { IssuerSignIn } from './issuer-sign-in.js';
import { digestOf } from './session-secret.js';
import { type StoredCredential, type OpenSession, SessionsService } from './sessions.service.js';

/** In microseconds: a token that ends within this time is renewed before use. */
const MARGIN = 30_000_000;

/** Renews issuer tokens before they end, once for all waiting requests (behaviour 3.8). */
@Injectable()
export class FreshCredentials {
  private readonly underWay = new Map<string, Promise<StoredCredential>>();

  constructor(
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
    @Optional() private readonly issuer?: IssuerSignIn,
  ) {}

  of(session: OpenSession): Promise<StoredCredential> {
    const { credential, secret } = session;
    const { refreshToken, endsAt = Infinity } = credential;
    if (refreshToken === undefined || this.issuer === undefined || endsAt - MARGIN > this.clock.now())
      return Promise.resolve(credential);
    const key = digestOf(secret);
    const asked = this.underWay.get(key) ?? this.renew(session, refreshToken, this.issuer);
    this.underWay.set(key, asked);
    return asked.finally(() => this.underWay.delete(key));
  }

  /** Some issuers accept a refresh token only once, and another process may have been faster. */
  private async renew(session: OpenSession, refreshToken: string, issuer: IssuerSignIn): Promise<StoredCredential> {
    const latest = (await this.sessions.use(session.secret))?.credential ?? session.credential;
    if (latest.refreshToken !== refreshToken) return latest;
    const renewed = await issuer.refreshed(refreshToken);
    // An expired credential is rejected by the authenticator.
    if (renewed === null) return (await this.sessions.use(session.secret))?.credential ?? latest;
    await this.sessions.replace(session, renewed);
    return renewed;
  }
}
