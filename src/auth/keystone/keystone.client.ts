import { Injectable } from '@nestjs/common';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { askProvider, type ProviderAnswer, type Question, reasonOf } from '../identity-provider.js';
import { type KeystoneToken, readToken } from './keystone-answers.js';
import { KeystoneOptions, type ServiceUser } from './keystone.options.js';

/** In milliseconds, for connecting, asking and reading together. */
const TIME_LIMIT = 10_000;
/** In milliseconds: a token that ends so soon may have ended when Keystone is asked with it. */
const MARGIN = 60_000;
/** What Keystone answers to a wrong name or password, a project that the user is not in, and an account that is locked. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404]);
/** What Keystone calls the domain that it has from the beginning. */
const FIRST_DOMAIN = { id: 'default' };

/** Asks a Keystone server whom tokens belong to (Identity API v3). */
@Injectable()
export class KeystoneClient {
  private readonly warning = new ThrottledLogger();
  private ownToken: Promise<OwnToken> | null = null;

  constructor(private readonly options: KeystoneOptions) {}

  /**
   * `null` for a token that Keystone does not know, that has expired or was revoked.
   * @throws ServiceError `unavailable` when Keystone gives no verdict
   */
  async validate(token: string): Promise<KeystoneToken | null> {
    const { serviceUser } = this.options;
    if (serviceUser === null) return this.verdictOf(await this.show(token, token), 'the token itself');
    const own = await this.logIn(serviceUser, null);
    const answer = await this.show(token, own);
    if (answer.status !== 401) return this.verdictOf(answer, serviceUser.name);
    // The token of the service itself may have been revoked before its time.
    return this.verdictOf(await this.show(token, await this.logIn(serviceUser, own)), serviceUser.name);
  }

  private verdictOf({ status, body }: ProviderAnswer, asker: string): KeystoneToken | null {
    const isOwn = this.options.serviceUser === null;
    // A token that asks about itself is refused as the one who asks.
    const isUnknown = status === 404 || (isOwn && (status === 401 || status === 403));
    const token = status === 200 ? readToken(body) : null;
    if (isUnknown || token !== null) {
      this.warning.over(`Keystone at ${this.options.url} validates tokens again`);
      return token;
    }
    throw this.gaveNoVerdict(`answers ${asker}, who asks about a token, with status ${status}`);
  }

  private show(subject: string, asker: string): Promise<ProviderAnswer> {
    return this.ask({ request: 'token', headers: { 'X-Auth-Token': asker, 'X-Subject-Token': subject } });
  }

  /**
   * A token for the service's own user, which is asked for once for all requests that wait for it.
   * @param refused one that Keystone does not take any more
   */
  private async logIn(user: ServiceUser, refused: string | null): Promise<string> {
    const waitedFor = this.ownToken;
    const known = await waitedFor;
    if (known !== null && known.token !== refused && known.expiresAt - MARGIN > Date.now()) return known.token;
    // Another request may have begun to ask meanwhile.
    if (this.ownToken === waitedFor) this.ownToken = this.requestToken(user);
    const asked = this.ownToken ?? this.requestToken(user);
    try {
      return (await asked).token;
    } catch (error) {
      // Whoever waits for it is told; the next one asks anew.
      if (this.ownToken === asked) this.ownToken = null;
      throw error;
    }
  }

  private async requestToken(user: ServiceUser): Promise<OwnToken> {
    const { status, made } = await this.askForToken(user);
    if (made === null) throw this.gaveNoVerdict(`answers the login of ${user.name} with status ${status}`);
    return made;
  }

  /**
   * A token for somebody with a password; `null` where Keystone refuses, for whatever reason.
   * @throws ServiceError `unavailable`
   */
  async tokenFor(user: ServiceUser): Promise<string | null> {
    const { status, made } = await this.askForToken(user);
    if (made === null && !REFUSED.has(status)) throw this.gaveNoVerdict(`answers a login with status ${status}`);
    return made?.token ?? null;
  }

  private async askForToken(user: ServiceUser): Promise<{ readonly status: number; readonly made: OwnToken | null }> {
    const headers = { 'Content-Type': 'application/json' };
    const login = { request: 'login', method: 'POST', headers, body: JSON.stringify(loginOf(user)) };
    const { status, body, headers: answered } = await this.ask(login);
    const token = status === 201 ? readToken(body) : null;
    const subjectToken = answered.get('X-Subject-Token');
    const made = token === null || subjectToken === null ? null : { token: subjectToken, expiresAt: token.expiresAt };
    return { status, made };
  }

  /** @throws ServiceError `unavailable` */
  private async ask(question: Pick<Question, 'request' | 'method' | 'headers' | 'body'>): Promise<ProviderAnswer> {
    const url = `${this.options.url}/auth/tokens?nocatalog`;
    try {
      return await askProvider({ provider: 'keystone', url, signal: AbortSignal.timeout(TIME_LIMIT), ...question });
    } catch (error) {
      throw this.gaveNoVerdict(`does not answer: ${reasonOf(error)}`);
    }
  }

  /** The log has the reason; who asks is told no more than that it is not its fault. */
  private gaveNoVerdict(what: string): ServiceError {
    this.warning.warn(`Keystone at ${this.options.url} ${what}`);
    return new ServiceError('unavailable', 'Keystone cannot validate the token at the moment; try again.');
  }
}

interface OwnToken {
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

function loginOf({ name, password, project, userDomain, projectDomain }: ServiceUser): object {
  const domainOf = (domain: string | null): object => (domain === null ? FIRST_DOMAIN : { name: domain });
  const user = { name, password, domain: domainOf(userDomain) };
  const scope = project === null ? {} : { scope: { project: { name: project, domain: domainOf(projectDomain) } } };
  return { auth: { identity: { methods: ['password'], password: { user } }, ...scope } };
}
