import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { plainNameOfKey } from '../../dns/name-key.js';
import { readLabelFilters } from '../../common/labels.js';
import { ServiceError } from '../../common/service-error.js';
import { Clock } from '../../common/clock.js';
import { AuthOptions } from '../auth.options.js';
import type { Identity } from '../authenticator.js';
import { readRestrictions } from '../scopes/token-scope.js';
import { readRoles } from '../roles.js';
import { tokenOf } from './token-header.js';
import { Strategy } from '../strategies.js';
import { type LastUse, TokenUses } from './token-uses.js';
import { MOST_LABELED, type StoredToken, TokenRepository } from './token.repository.js';
import { hashToken, looksLikeToken } from './tokens.service.js';

/** Bounds the work for a hostile header. No token is longer. */
const MAX_TOKEN_LENGTH = 1024;
const CONFIGURED_ADMIN: Identity = { tenantId: 'admin', roles: ['admin'], user: 'admin_token', isOwnToken: true };

/** Authenticates by a token in `X-Auth-Token` or `Authorization: Bearer` (behaviour 3.5). */
@Injectable()
export class TokenAuthenticator extends Strategy {
  private readonly adminTokenHash: string | null;

  constructor(
    private readonly tokens: TokenRepository,
    private readonly uses: TokenUses,
    private readonly clock: Clock,
    { adminToken }: AuthOptions,
  ) {
    super();
    this.adminTokenHash = adminToken === null ? null : hashToken(adminToken);
  }

  /** The configured token has any form. */
  override recognises(token: string): boolean {
    return looksLikeToken(token) || this.isConfigured(hashToken(token));
  }

  override async identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const token = tokenOf(headers, MAX_TOKEN_LENGTH);
    if (token === null) return null;
    const hash = hashToken(token);
    if (this.isConfigured(hash)) return CONFIGURED_ADMIN;
    const stored = await this.tokens.findByHash(hash);
    // Compares again in constant time: the timing of an index lookup reveals nothing about the result.
    if (stored === undefined || !isSameHash(stored.hash, hash)) return null;
    if (stored.revokedAt !== null || (stored.expiresAt !== null && stored.expiresAt <= this.clock.now())) return null;
    return this.withLabels(identityOf(stored));
  }

  /** All other code knows only the domains of a token. @throws ServiceError `forbidden` for too many */
  private async withLabels(identity: StoredIdentity): Promise<StoredIdentity> {
    const { tenantId, restrictions } = identity;
    if (!restrictions?.labels || tenantId === null) return identity;
    const { labels, domains: among } = restrictions;
    const keys = await this.tokens.labeledZones(tenantId, readLabelFilters(labels, 'forbidden'));
    if (keys === null)
      throw new ServiceError(
        'forbidden',
        `More than ${MOST_LABELED} domains have the labels of the token: ${labels.join(', ')}; limit it to fewer.`,
      );
    const names = keys.map(plainNameOfKey);
    const domains = among === null ? names : among.filter((name) => names.includes(name));
    return { ...identity, restrictions: { ...restrictions, domains } };
  }

  override recordUse(identity: Identity, address: string): void {
    if ('lastUse' in identity) this.uses.note((identity as StoredIdentity).lastUse, address);
  }

  private isConfigured(hash: string): boolean {
    return this.adminTokenHash !== null && isSameHash(hash, this.adminTokenHash);
  }
}

interface StoredIdentity extends Identity {
  readonly lastUse: LastUse;
}

function identityOf(stored: StoredToken): StoredIdentity {
  const { id, tenantId, roles, restrictions, expiresAt } = stored;
  const limits = {
    ...(restrictions !== null && { restrictions: readRestrictions(restrictions) }),
    ...(expiresAt !== null && { expiresAt }),
  };
  return { tenantId, roles: readRoles(roles), tokenId: id, ...limits, isOwnToken: true, lastUse: stored };
}

function isSameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
}
