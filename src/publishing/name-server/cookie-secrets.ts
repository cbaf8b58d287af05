import { randomBytes } from 'node:crypto';
import { ServerCookies } from '../../dns/message/cookies.js';

const SECRET_OCTETS = 16;
/** In seconds; RFC 7873 §7.1 lets none be older than 36 days. */
const LIFETIME = 86_400;

/** DNS cookies under a secret that this process makes for itself, and another each day. */
export class CookieSecrets {
  private secret = randomBytes(SECRET_OCTETS);
  private cookies = new ServerCookies(this.secret);
  private madeAt: number | null = null;

  /** @param now in seconds since 1970 */
  at(now: number): ServerCookies {
    this.madeAt ??= now;
    if (now - this.madeAt > LIFETIME) this.renew(now);
    return this.cookies;
  }

  private renew(now: number): void {
    const previous = this.secret;
    this.secret = randomBytes(SECRET_OCTETS);
    this.cookies = new ServerCookies(this.secret, previous);
    this.madeAt = now;
  }
}
