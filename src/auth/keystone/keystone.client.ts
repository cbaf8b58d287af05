import { Injectable } from '@nestjs/common';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { askProvider, type ProviderAnswer, type Question, reasonOf } from '../identity-provider.js';
import { KeystoneOptions, type ServiceUser } from './keystone.options.js';
import { fieldOf, listOf, textOf } from '../../common/json.js';

/** Milliseconds for connecting, sending and reading together. */
const TIME_LIMIT = 10_000;
/** Milliseconds. A token that expires sooner may have expired when it reaches Keystone. */
const MARGIN = 60_000;
/** Answers for a wrong name or password, a project without the user, or a locked account. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404]);
const FIRST_DOMAIN = { id: 'default' };

@Injectable()
export class KeystoneClient {
  private readonly warning = new ThrottledLogger();
  private ownToken: Promise<OwnToken> | null = null;

  constructor(private readonly options: KeystoneOptions) {}

  /** Returns `null` for an invalid token. @throws ServiceError `unavailable` if Keystone does not answer */
  async validate(token: string): Promise<KeystoneToken | null> {
    const { serviceUser } = this.options;
    if (serviceUser === null) return this.verdictOf(await this.show(token, token), 'the token itself');
    const own = await this.logIn(serviceUser, null);
    const answer = await this.show(token, own);
    if (answer.status !== 401) return this.verdictOf(answer, serviceUser.name);
    // The token of the service may have been revoked early.
    return this.verdictOf(await this.show(token, await this.logIn(serviceUser, own)), serviceUser.name);
  }

  private verdictOf({ status, body }: ProviderAnswer, asker: string): KeystoneToken | null {
    const isOwn = this.options.serviceUser === null;
    // A token that validates itself fails as the caller: 401 or 403.
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

  /** Concurrent requests share one login. @param refused token that Keystone no longer accepts */
  private async logIn(user: ServiceUser, refused: string | null): Promise<string> {
    const waitedFor = this.ownToken;
    const known = await waitedFor;
    if (known !== null && known.token !== refused && known.expiresAt - MARGIN > Date.now()) return known.token;
    if (this.ownToken === waitedFor) this.ownToken = this.requestToken(user);
    const asked = this.ownToken ?? this.requestToken(user);
    try {
      return (await asked).token;
    } catch (error) {
      // All waiting requests get this error. The next request logs in again.
      if (this.ownToken === asked) this.ownToken = null;
      throw error;
    }
  }

  private async requestToken(user: ServiceUser): Promise<OwnToken> {
    const { status, made } = await this.askForToken(user);
    if (made === null) throw this.gaveNoVerdict(`answers the login of ${user.name} with status ${status}`);
    return made;
  }

  /** Returns `null` if Keystone rejects the login. @throws ServiceError `unavailable` */
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

  private async ask(question: Pick<Question, 'request' | 'method' | 'headers' | 'body'>): Promise<ProviderAnswer> {
    const url = `${this.options.url}/auth/tokens?nocatalog`;
    try {
      return await askProvider({ provider: 'keystone', url, signal: AbortSignal.timeout(TIME_LIMIT), ...question });
    } catch (error) {
      throw this.gaveNoVerdict(`does not answer: ${reasonOf(error)}`);
    }
  }

  /** Only the log has the reason: the client learns that the error is not its own. */
  private gaveNoVerdict(what: string): ServiceError {
    this.warning.warn(`Keystone at ${this.options.url} ${what}`);
    return new ServiceError('unavailable', 'Keystone cannot validate the token at the moment; try again.');
  }
}

interface OwnToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

function loginOf({ name, password, project, userDomain, projectDomain }: ServiceUser): object {
  const domainOf = (domain: string | null): object => (domain === null ? FIRST_DOMAIN : { name: domain });
  const user = { name, password, domain: domainOf(userDomain) };
  const scope = project === null ? {} : { scope: { project: { name: project, domain: domainOf(projectDomain) } } };
  return { auth: { identity: { methods: ['password'], password: { user } }, ...scope } };
}

/** The used fields of a valid token (Identity API v3, "Validate and show information for token"). */
export interface KeystoneToken {
  /** `null` for a token of a domain, of the system or without scope. */
  readonly projectId: string | null;
  readonly isForSystem: boolean;
  readonly roles: readonly string[];
  readonly user: string | null;
  /** Identifies the token without revealing it. `null` if Keystone sends none. */
  readonly auditId: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export function readToken(body: unknown): KeystoneToken | null {
  const token = fieldOf(body, 'token');
  const expiresAt = Date.parse(textOf(fieldOf(token, 'expires_at')) ?? '');
  if (Number.isNaN(expiresAt)) return null;
  const user = fieldOf(token, 'user');
  return {
    projectId: textOf(fieldOf(fieldOf(token, 'project'), 'id')),
    isForSystem: fieldOf(fieldOf(token, 'system'), 'all') === true,
    roles: listOf(fieldOf(token, 'roles'))
      .map((role) => textOf(fieldOf(role, 'name')))
      .filter((name) => name !== null),
    user: textOf(fieldOf(user, 'name')) ?? textOf(fieldOf(user, 'id')),
    auditId: textOf(listOf(fieldOf(token, 'audit_ids'))[0]),
    expiresAt,
  };
}
