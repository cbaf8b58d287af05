import { Injectable } from '@nestjs/common';
import { RareWarning } from '../../common/rare-warning.js';
import { ServiceError } from '../../common/service-error.js';
import { type KeystoneToken, readToken } from './keystone-answers.js';
import { KeystoneOptions, type ServiceUser } from './keystone.options.js';

/** In milliseconds, for connecting, asking and reading together. */
const PATIENCE = 10_000;
/** In milliseconds: a token that ends so soon may have ended when Keystone is asked with it. */
const MARGIN = 60_000;
/** What Keystone calls the domain that it has from the beginning. */
const FIRST_DOMAIN = { id: 'default' };

/** Asks a Keystone server whom tokens belong to (Identity API v3). */
@Injectable()
export class KeystoneClient {
  private readonly warning = new RareWarning();
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

  private verdictOf({ status, body }: Answer, asker: string): KeystoneToken | null {
    const isOwn = this.options.serviceUser === null;
    // A token that asks about itself is refused as the one who asks.
    if (status === 404 || (isOwn && (status === 401 || status === 403))) return null;
    if (status === 200) {
      const token = readToken(body);
      if (token !== null) return token;
    }
    throw this.gaveNoVerdict(`answers ${asker}, who asks about a token, with status ${status}`);
  }

  private show(subject: string, asker: string): Promise<Answer> {
    return this.ask('GET', '/auth/tokens?nocatalog', { 'X-Auth-Token': asker, 'X-Subject-Token': subject });
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
    const { status, body, subjectToken } = await this.ask('POST', '/auth/tokens?nocatalog', {}, loginOf(user));
    const token = status === 201 ? readToken(body) : null;
    if (token === null || subjectToken === null)
      throw this.gaveNoVerdict(`answers the login of ${user.name} with status ${status}`);
    return { token: subjectToken, expiresAt: token.expiresAt };
  }

  /** @throws ServiceError `unavailable` */
  private async ask(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer> {
    const request = {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    } as const;
    const url = `${this.options.url}${path}`;
    try {
      // A connection that was kept may have been closed in this very moment, which a second attempt does not meet.
      return await send(url, request).catch((error: unknown) => {
        if (request.signal.aborted) throw error;
        return send(url, request);
      });
    } catch (error) {
      throw this.gaveNoVerdict(`does not answer: ${reasonOf(error)}`);
    }
  }

  /** The log has the reason; who asks is told no more than that it is not its fault. */
  private gaveNoVerdict(what: string): ServiceError {
    this.warning.warn(`Keystone at ${this.options.url} ${what}`);
    return new ServiceError('unavailable', 'Keystone, which knows whose token this is, does not say; try again.');
  }
}

interface Answer {
  readonly status: number;
  /** `undefined` for what is no JSON. */
  readonly body: unknown;
  readonly subjectToken: string | null;
}

interface OwnToken {
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

async function send(url: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(url, request);
  const text = await response.text();
  return { status: response.status, body: jsonOf(text), subjectToken: response.headers.get('X-Subject-Token') };
}

function loginOf({ name, password, project, userDomain, projectDomain }: ServiceUser): object {
  const domainOf = (domain: string | null): object => (domain === null ? FIRST_DOMAIN : { name: domain });
  const user = { name, password, domain: domainOf(userDomain) };
  const scope = project === null ? {} : { scope: { project: { name: project, domain: domainOf(projectDomain) } } };
  return { auth: { identity: { methods: ['password'], password: { user } }, ...scope } };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What `fetch` throws says little itself; its cause has the system's word. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
