import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { type Identity, truncateForAudit } from '../authenticator.js';
import { Strategy } from '../strategies.js';
import { LONGEST_TOKEN, tokenOf } from '../tokens/token-header.js';
import { IssuerKeys } from './issuer.client.js';
import { JwtOptions } from './jwt.options.js';
import { fieldOf, listOf, textOf } from '../../common/json.js';
import { builtInRoles } from '../roles.js';
import { isTenantId } from '../tenant-id.js';

/** Compact JWS: three base64url parts, the last empty if unsigned (RFC 7515 §3.1). Encrypted tokens have five. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Optional prefix of `typ` (RFC 7515 §4.1.9). */
const MEDIA = 'application/';

/** Authenticates by tokens of an OIDC issuer (behaviour 14.3). */
@Injectable()
export class JwtAuthenticator extends Strategy {
  private readonly logger = new Logger('Zonewright');

  constructor(
    private readonly keys: IssuerKeys,
    private readonly clock: Clock,
    private readonly options: JwtOptions,
  ) {
    super();
  }

  override recognises(token: string): boolean {
    return COMPACT.test(token);
  }

  /** @throws ServiceError `unavailable` if the key cannot be fetched, `forbidden` if the claims name no valid tenant */
  override async identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const token = tokenOf(headers, LONGEST_TOKEN);
    if (token === null || !this.recognises(token)) return null;
    const claims = await this.verified(token);
    return claims === null ? null : identityOf(claims, this.options);
  }

  /** @throws ServiceError `unavailable` */
  private async verified(token: string): Promise<JWTPayload | null> {
    const { issuer, audience, algorithms, clockSkew } = this.options;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, {
        ...{ issuer, audience: [...audience], algorithms: [...algorithms] },
        ...{ clockTolerance: clockSkew, requiredClaims: ['exp'], currentDate: new Date(this.clock.now() / 1000) },
      });
      this.assertType(protectedHeader);
      return payload;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      // For the setup of an issuer. The library message has claim names but no other part of the token.
      this.logger.debug(`a JWT is refused: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }

  /** Rejects other signed tokens of the issuer, such as logout tokens (RFC 8725 §3.11). */
  private assertType({ typ }: JWTHeaderParameters): void {
    const type = (typ ?? 'jwt').toLowerCase();
    const name = type.startsWith(MEDIA) ? type.slice(MEDIA.length) : type;
    if (!this.options.tokenTypes.includes(name)) throw new Error('its type is not one of token_types');
  }
}

type Mapping = Pick<
  JwtOptions,
  'tenantClaim' | 'rolesClaim' | 'userClaim' | 'adminRoles' | 'memberRoles' | 'readerRoles'
>;

/** Maps verified claims to an identity. @throws ServiceError `forbidden` if the tenant claim is present but invalid */
export function identityOf(claims: JWTPayload, mapping: Mapping): Identity {
  return {
    tenantId: tenantIn(claimAt(claims, mapping.tenantClaim), mapping.tenantClaim),
    roles: builtInRoles(rolesIn(claimAt(claims, mapping.rolesClaim)), mapping),
    ...truncateForAudit(textOf(claims.jti), textOf(claimAt(claims, mapping.userClaim))),
    ...endOf(claims),
  };
}

/** `exp` may exceed the range of `Instant`. */
function endOf({ exp = Infinity }: JWTPayload): { readonly expiresAt?: Instant } {
  const expiresAt = Math.floor(exp * SECOND);
  return expiresAt <= Number.MAX_SAFE_INTEGER ? { expiresAt } : {};
}

function claimAt(claims: unknown, path: readonly string[]): unknown {
  return path.reduce(fieldOf, claims);
}

/** Rejects lists, which would make the choice of the tenant arbitrary. */
function tenantIn(claim: unknown, path: readonly string[]): string | null {
  if (claim === undefined || claim === null) return null;
  const tenantId = textOf(claim);
  if (tenantId !== null && isTenantId(tenantId)) return tenantId;
  throw new ServiceError('forbidden', `The claim ${path.join('.')} of the token is not the name of one tenant.`);
}

/** A list of names, or a text of names with blanks, like `scope` (RFC 8693 §4.2). */
function rolesIn(claim: unknown): string[] {
  const names = typeof claim === 'string' ? claim.split(' ') : listOf(claim);
  return names.map(textOf).filter((name) => name !== null);
}
