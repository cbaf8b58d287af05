import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { AuthOptions } from './auth.options.js';
import { Authenticator, type Identity } from './authenticator.js';
import { readRoles } from './roles.js';
import { TokenRepository } from './token.repository.js';
import { hashToken } from './tokens.service.js';

/** No token is as long. The limit bounds the work that a hostile header can cause. */
const MAX_TOKEN_LENGTH = 1024;
const BEARER = /^bearer +(\S+) *$/i;
const CONFIGURED_ADMIN: Identity = { tenantId: 'admin', roles: ['admin'], user: 'admin_token' };

/** Authenticates by a token in `X-Auth-Token` or `Authorization: Bearer` (behaviour 3.5). */
@Injectable()
export class TokenAuthenticator extends Authenticator {
  private readonly adminTokenHash: string | null;

  constructor(
    private readonly tokens: TokenRepository,
    private readonly clock: Clock,
    { adminToken }: AuthOptions,
  ) {
    super();
    this.adminTokenHash = adminToken === null ? null : hashToken(adminToken);
  }

  override async identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const token = tokenOf(headers);
    if (token === null || token.length > MAX_TOKEN_LENGTH) return null;
    const hash = hashToken(token);
    if (this.adminTokenHash !== null && isSameHash(hash, this.adminTokenHash)) return CONFIGURED_ADMIN;
    const stored = await this.tokens.findByHash(hash);
    // Compared again in constant time: the timing of a look-up in the index says nothing about the result.
    if (stored === undefined || !isSameHash(stored.hash, hash)) return null;
    if (stored.revokedAt !== null || (stored.expiresAt !== null && stored.expiresAt <= this.clock.now())) return null;
    return { tenantId: stored.tenantId, roles: readRoles(stored.roles), tokenId: stored.id };
  }
}

/** The token that was sent, `null` for none. Two tokens in one request are none, even when they are equal. */
function tokenOf(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-auth-token'];
  const { authorization } = headers;
  if (authorization === undefined) return typeof own === 'string' && own !== '' ? own : null;
  if (own !== undefined) return null;
  return BEARER.exec(authorization.slice(0, MAX_TOKEN_LENGTH + 10))?.[1] ?? null;
}

function isSameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
}
