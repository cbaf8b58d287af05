import { hash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { administrator, type Caller, type Restrictions, UNRESTRICTED } from '../../common/caller.js';
import { Clock, type Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { type RequestedRestrictions, limitsWork, scoped, restrictionsColumn } from '../scopes/token-scope.js';
import { isBuiltInRole, BUILT_IN_ROLES } from '../roles.js';
import { isTenantId } from '../tenant-id.js';
import type { TokenEntity } from './token.entity.js';
import { TokenRepository } from './token.repository.js';

/** 256 random bits cannot be guessed, so a fast hash is enough. */
const TOKEN_OCTETS = 32;

const LISTED_AT_A_TIME = 500;

export interface TokenRequest {
  readonly tenantId: string;
  readonly roles: readonly string[];
  readonly description: string | null;
  readonly expiresAt: Instant | null;
  readonly restrictions?: RequestedRestrictions;
}

export interface NewToken {
  readonly id: string;
  readonly token: string;
}

@Injectable()
export class TokensService {
  constructor(
    private readonly tokens: TokenRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError `invalid_object` for an invalid tenant, role or restriction, or an expiry in the past */
  async create(request: TokenRequest, caller: Caller): Promise<NewToken> {
    const token = newSecret();
    const entity = draftToken(token, request, this.clock.now());
    await this.tokens.insert(entity, caller);
    return { id: entity.id, token };
  }

  /** Creates an admin token if the table is empty; otherwise returns `null`. */
  async createFirst(): Promise<NewToken | null> {
    const token = newSecret();
    const request = { tenantId: 'admin', roles: ['admin'], description: 'made at the first start', expiresAt: null };
    const entity = draftToken(token, request, this.clock.now());
    const caller = administrator('service', 'start');
    return (await this.tokens.insertFirst(entity, caller)) ? { id: entity.id, token } : null;
  }

  async list(): Promise<TokenEntity[]> {
    const tokens: TokenEntity[] = [];
    for (let page: readonly TokenEntity[]; ;) {
      page = await this.tokens.page(null, tokens.at(-1) ?? null, LISTED_AT_A_TIME);
      tokens.push(...page);
      if (page.length < LISTED_AT_A_TIME) return tokens;
    }
  }

  /** Returns the number of revoked tokens. */
  revokeOfUser(user: string, tenantId: string | null, caller: Caller): Promise<number> {
    return this.tokens.revokeOfUser(user, tenantId, this.clock.now(), caller);
  }

  /** Also revokes derived tokens. Returns false for an unknown or revoked token. */
  revoke(id: string, caller: Caller): Promise<boolean> {
    return this.tokens.revoke(id, this.clock.now(), caller);
  }
}

export interface Holder {
  /** `null` for a credential that is not in the database. */
  readonly id: string | null;
  readonly restrictions: Restrictions;
  readonly user?: string;
}

const OPERATOR: Holder = { id: null, restrictions: UNRESTRICTED };

/** @throws ServiceError `invalid_object`, `forbidden` if wider than `holder` */
export function draftToken(token: string, request: TokenRequest, now: Instant, holder = OPERATOR): TokenEntity {
  const { tenantId, roles, description, expiresAt, restrictions: asked = {} } = request;
  assertValid(request, now);
  const restrictions = scoped(holder.restrictions, asked);
  if (limitsWork(restrictions) && roles.includes('admin'))
    throw ServiceError.ofField(
      'invalid_object',
      'roles',
      'enum',
      'A token with the role admin cannot be limited to domains, names, types or actions: leave out the limits, or the role.',
    );
  return {
    ...{
      id: randomUUID(),
      hash: hashToken(token),
      tenantId,
      roles: [...new Set(roles)].join(','),
      description,
      expiresAt,
    },
    ...{ createdAt: now, revokedAt: null, parentId: holder.id, madeByUser: holder.user ?? null },
    restrictions: restrictionsColumn(restrictions),
    ...{ lastUsedAt: null, lastUsedFrom: null },
  };
}

/** Returns the SHA-256 in hexadecimal, the only stored form. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

const FORM = /^zw_[\w-]{43}$/;

export function looksLikeToken(text: string): boolean {
  return FORM.test(text);
}

export function newSecret(): string {
  return `zw_${randomBytes(TOKEN_OCTETS).toString('base64url')}`;
}

function assertValid({ tenantId, roles, expiresAt }: TokenRequest, now: Instant): void {
  if (!isTenantId(tenantId))
    throw ServiceError.ofField('invalid_object', 'tenant', 'maxLength', 'A tenant has 1 to 255 characters.');
  assertRoles(roles);
  if (expiresAt !== null && expiresAt <= now)
    throw ServiceError.ofField('invalid_object', 'expires', 'minimum', 'The expiry must lie in the future.');
}

/** An unknown role would mean member, which may write. @throws ServiceError `invalid_object` */
export function assertRoles(roles: readonly string[]): void {
  const unknown = roles.find((role) => !isBuiltInRole(role));
  if (roles.length > 0 && unknown === undefined) return;
  const which = unknown === undefined ? 'Name at least one role' : `${JSON.stringify(unknown)} is not a role`;
  const message = `${which}: there are ${BUILT_IN_ROLES.join(', ')}, of which reader may only read.`;
  throw ServiceError.ofField('invalid_object', 'roles', 'enum', message);
}
