import { Injectable } from '@nestjs/common';
import { type Caller, type Restrictions, UNRESTRICTED } from '../../common/caller.js';
import type { Page } from '../../common/collection-query.js';
import { Clock, DAY, type Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { type RequestedRestrictions, limitsWork, scoped, readRestrictions } from '../scopes/token-scope.js';
import { UserTokenOptions } from '../auth.options.js';
import { isAdmin } from '../policy.js';
import { meaningOf } from '../roles.js';
import type { TokenEntity } from './token.entity.js';
import { TokenRepository } from './token.repository.js';
import { assertRoles, draftToken, type Holder, newSecret } from './tokens.service.js';

/** Requested token. Inherits absent fields from the parent token. */
export interface ScopedToken {
  readonly roles?: readonly string[] | undefined;
  readonly description: string | null;
  readonly expiresAt: Instant | null;
  readonly restrictions: RequestedRestrictions;
}

export interface CreatedToken {
  readonly entity: TokenEntity;
  readonly token: string;
}

/** Derived tokens of a tenant, including recently expired ones. */
const MOST_MADE = 1000;
/** Lists show expired tokens for this time. */
const SHOWN_AFTER_END = DAY;

/** Manages tokens of tenants, which are never wider than their parent credential (behaviour 14.2). */
@Injectable()
export class OwnTokensService {
  constructor(
    private readonly tokens: TokenRepository,
    private readonly clock: Clock,
    private readonly ofUsers: UserTokenOptions,
  ) {}

  /** Lists the token of the caller and its derived tokens, or for admins the tokens of the tenant, oldest first. */
  async page(caller: Caller, after: TokenEntity | null, limit: number): Promise<Page<TokenEntity>> {
    this.assertMayHold(caller);
    if (!isAdmin(caller)) return { entries: await this.ownOf(caller), isLast: true };
    const entries = await this.tokens.page(caller.allTenants ? null : caller.tenantId, after, limit);
    return { entries, isLast: entries.length < limit };
  }

  /**
   * @throws ServiceError `invalid_object`; `forbidden` if wider than the credential of the caller; `over_quota`;
   * `access_denied` if the credential has expired meanwhile
   */
  create(caller: Caller, asked: ScopedToken): Promise<CreatedToken> {
    this.assertMayHold(caller);
    return this.tokens.whileHeld(async (tx) => {
      const now = this.clock.now();
      const holder = await this.holderOf(tx, caller, now);
      const token = newSecret();
      const { description } = asked;
      const request = {
        ...{ tenantId: caller.tenantId, roles: rolesOf(asked, caller, holder), description },
        ...{ expiresAt: expiryOf(asked, holder), restrictions: asked.restrictions },
      };
      const entity = draftToken(token, request, now, holder);
      await this.assertRoom(tx, caller.tenantId, now);
      await this.tokens.insertIn(tx, entity, caller);
      return { entity, token };
    });
  }

  /** Revokes a token and its derived tokens. @throws ServiceError `token_not_found` for a hidden or revoked token */
  async revoke(caller: Caller, id: string): Promise<void> {
    this.assertMayHold(caller);
    if (!(await this.isShown(caller, id)) || !(await this.tokens.revoke(id, this.clock.now(), caller)))
      throw noSuchToken();
  }

  private async isShown(caller: Caller, id: string): Promise<boolean> {
    if (!isAdmin(caller)) return (await this.ownOf(caller)).some((token) => token.id === id);
    const token = await this.tokens.find(id);
    return token !== undefined && (caller.allTenants || token.tenantId === caller.tenantId);
  }

  private ownOf({ isOwnToken, tokenId, tenantId, user }: Caller): Promise<TokenEntity[]> {
    return isOwnToken === true ? this.tokens.listFrom(tokenId ?? '') : this.tokens.listOfUser(tenantId, user ?? '');
  }

  /** Tokens outlive external credentials, so they need an expiry and a user to revoke them by. */
  private assertMayHold({ isOwnToken, user }: Caller): void {
    if (isOwnToken === true) return;
    if (this.ofUsers.mostDays === null)
      throw new ServiceError(
        'forbidden',
        'This needs a token of this service; yours comes from elsewhere, so ask there for another.',
      );
    if (user === null) throw new ServiceError('forbidden', 'This needs a credential that names its user.');
  }

  private async holderOf(tx: Transaction, caller: Caller, now: Instant): Promise<ValidHolder> {
    const { tokenId, restrictions, isOwnToken, user } = caller;
    const { mostDays } = this.ofUsers;
    if (isOwnToken !== true && mostDays !== null && user !== null)
      return { id: null, restrictions: restrictions ?? UNRESTRICTED, expiresAt: now + mostDays * DAY, user };
    // The configured token is not in the database.
    if (tokenId === null) return { id: null, restrictions: restrictions ?? UNRESTRICTED, expiresAt: null };
    const stored = await this.tokens.findValid(tx, tokenId, now);
    if (stored === undefined) throw new ServiceError('access_denied', 'The token has just expired or been revoked.');
    const { expiresAt, restrictions: column } = stored;
    return { id: tokenId, restrictions: column === null ? UNRESTRICTED : readRestrictions(column), expiresAt };
  }

  private async assertRoom(tx: Transaction, tenantId: string, now: Instant): Promise<void> {
    await this.tokens.forgetEnded(tx, tenantId, now - SHOWN_AFTER_END);
    const made = await this.tokens.countMade(tx, tenantId);
    if (made < MOST_MADE) return;
    const message = `The limit of ${MOST_MADE} tokens that a tenant has made is reached; expired and revoked ones count for a day.`;
    throw new ServiceError('over_quota', message);
  }
}

interface ValidHolder extends Holder {
  readonly restrictions: Restrictions;
  readonly expiresAt: Instant | null;
}

function rolesOf({ roles, restrictions }: ScopedToken, caller: Caller, holder: ValidHolder): readonly string[] {
  const held = [...new Set(caller.roles.map(meaningOf))];
  if (roles === undefined) {
    const isForWork = isAdmin(caller) && limitsWork(scoped(holder.restrictions, restrictions));
    return isForWork ? ['member'] : held;
  }
  assertRoles(roles);
  const isWider = (role: string): boolean => !isAdmin(caller) && role !== 'reader' && !held.includes(role);
  if (roles.some(isWider))
    throw new ServiceError('forbidden', 'roles: a token can only give roles that it has itself.');
  return roles;
}

function expiryOf({ expiresAt }: ScopedToken, holder: ValidHolder): Instant | null {
  if (expiresAt === null || holder.expiresAt === null || expiresAt <= holder.expiresAt)
    return expiresAt ?? holder.expiresAt;
  throw new ServiceError(
    'forbidden',
    'user' in holder
      ? 'expires_at: with this credential tokens are made that end no later than user_token_days from now.'
      : 'expires_at: a token can only make tokens that expire no later than itself.',
  );
}

function noSuchToken(): ServiceError {
  return new ServiceError('token_not_found', 'There is no such valid token; list yours with GET /v1/tokens.');
}
